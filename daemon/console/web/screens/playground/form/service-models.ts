import { useQuery } from '@tanstack/react-query';
import type { Model, ModelList } from '../../../../../../src/api/management/models.ts';
import { call } from '../../../data/api.ts';

/** The models of a service, and those of other categories that can also do its work. */
export function useServiceModels(categories: readonly string[]) {
  const { data, error } = useQuery({
    queryKey: ['models'],
    queryFn: () => call<ModelList>('GET', '/v1/models'),
  });
  const models = (data?.data ?? []).filter(({ id, category }) =>
    id.startsWith('svc-') ? category === categories[0] : categories.includes(category),
  );
  return { models, error };
}

export function isMissing({ local }: Model): boolean {
  return local.state === 'not_installed' || local.state === 'downloading';
}
