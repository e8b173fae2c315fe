import { useQuery } from '@tanstack/react-query';
import type { Artifact } from '../../../../../../src/api/management/daemon.ts';
import { call } from '../../../data/api.ts';
import { ownsMachine } from '../../../data/person.ts';

/** A model's voices, by their names in the API; none if only another server knows them. */
export function useVoices(model: string): readonly (readonly [name: string, text: string])[] {
  const { data } = useQuery({
    queryKey: ['models', 'artifacts'],
    queryFn: () => call<{ artifacts: Artifact[] }>('GET', '/api/daemon/artifacts'),
    enabled: ownsMachine(),
  });
  const artifact = data?.artifacts.find(
    ({ id, aliases, bound_to: services }) =>
      id === model || aliases.includes(model) || services.includes(model),
  );
  return Object.entries(artifact?.voices ?? {}).map(([name, own]) => [name, `${name} (${own})`] as const);
}
