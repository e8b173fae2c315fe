import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { AgentRun } from '../../../../../src/api/tasks/agent.ts';
import type { Collection } from '../../../../../src/api/management/docs.ts';
import { call } from '../../data/api.ts';
import { ownsMachine } from '../../data/person.ts';
import { ask } from '../../data/playground-key.ts';

export type SessionWithTurns = { id: string; title: string; turns: AgentRun[] };

const RUNNING_REFRESH_MS = 2_000;
const isRunning = ({ status }: AgentRun) => status === 'running';

/** Newest first; only those of the console. */
export const useRuns = () =>
  useQuery({
    queryKey: ['agent', 'runs'],
    queryFn: () => ask<{ data: AgentRun[] }>('GET', '/v1/agent/runs'),
    refetchInterval: ({ state }) => (state.data?.data.some(isRunning) ? RUNNING_REFRESH_MS : false),
  });

export const useSession = (id: string) =>
  useQuery({
    queryKey: ['agent', 'session', id],
    queryFn: () => ask<SessionWithTurns>('GET', `/v1/agent/sessions/${encodeURIComponent(id)}`),
    refetchInterval: ({ state }) => (state.data?.turns.some(isRunning) ? RUNNING_REFRESH_MS : false),
  });

export const useCollections = () =>
  useQuery({
    queryKey: ['agent', 'docs'],
    queryFn: () => call<{ data: Collection[] }>('GET', '/api/daemon/docs'),
    select: ({ data }) => data,
    enabled: ownsMachine(),
  });

/** After a run has started or ended, or documents have changed. */
export function useRefresh(): () => void {
  const queries = useQueryClient();
  return () => void queries.invalidateQueries({ queryKey: ['agent'] });
}

export const runPath = (id: string) => `/v1/agent/runs/${encodeURIComponent(id)}`;
