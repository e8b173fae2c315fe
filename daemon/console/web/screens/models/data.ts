import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Artifact } from '../../../../../src/api/management/daemon.ts';
import type { CatalogEntry, CatalogSource } from '../../../../../src/api/management/catalog.ts';
import type { Pull } from '../../../../../src/api/management/library.ts';
import type { Model } from '../../../../../src/api/management/models.ts';
import { call } from '../../data/api.ts';
import { useLive } from '../../data/live.ts';

export type Catalog = {
  catalog: CatalogEntry[];
  source: CatalogSource;
  /** Why a downloaded catalogue is not used. */
  problem: string | null;
  machine: { memory_bytes: number; for_models_bytes: number };
};

export const useArtifacts = () =>
  useQuery({
    queryKey: ['models', 'artifacts'],
    queryFn: () => call<{ artifacts: Artifact[] }>('GET', '/api/daemon/artifacts'),
  });

export const useServices = () =>
  useQuery({
    queryKey: ['models', 'services'],
    queryFn: () => call<{ data: Model[] }>('GET', '/v1/models'),
    select: ({ data }) => data.filter(({ id }) => id.startsWith('svc-')),
  });

export const useCatalog = () =>
  useQuery({ queryKey: ['models', 'catalog'], queryFn: () => call<Catalog>('GET', '/api/daemon/catalog') });

export const isOpen = ({ state }: Pull): boolean => /queued|downloading|paused/.test(state);

/** Newest first. Those in progress are as last reported by the event stream, once a second. */
export function usePulls() {
  const { latest } = useLive();
  const current = latest?.pulls ?? [];
  const states = current.map(({ id, state }) => `${id} ${state}`).join();
  const { data, error } = useQuery({
    // One that has left the stream has ended: its row says how.
    queryKey: ['models', 'pulls', states],
    queryFn: () => call<{ pulls: Pull[] }>('GET', '/api/daemon/pulls'),
    placeholderData: (before) => before,
    // A quick download may never have appeared in the stream.
    refetchInterval: ({ state }) =>
      state.data?.pulls.some((pull) => isOpen(pull) && !current.some(({ id }) => id === pull.id))
        ? 1000
        : false,
  });
  const known = data?.pulls ?? current;
  const newer = current.filter(({ id }) => known.every((each) => each.id !== id));
  const pulls = known.map((pull) => current.find(({ id }) => id === pull.id) ?? pull);
  return { pulls: [...newer, ...pulls], error };
}

/** For actions that end after their form has closed. */
export function useModelsRefresh(): () => void {
  const queries = useQueryClient();
  return () => void queries.invalidateQueries({ queryKey: ['models'] });
}

/** Changes the models, then fetches everything that may have changed. */
export function useChange<Wanted = void, Answer = unknown>(change: (wanted: Wanted) => Promise<Answer>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSettled: () => queries.invalidateQueries({ queryKey: ['models'] }),
  });
}

export const load = (body: { model: string; pin?: boolean; keep_alive?: string }) =>
  call('POST', '/api/daemon/load', body);
export const unload = (model: string) => call('POST', '/api/daemon/stop', { model });
