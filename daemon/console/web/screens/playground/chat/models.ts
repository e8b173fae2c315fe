import { useQuery } from '@tanstack/react-query';
import type { Model, ModelList } from '../../../../../../src/api/management/models.ts';
import { call } from '../../../data/api.ts';

export type ChatModels = { models: readonly Model[]; error: Error | null };

/** Everything that accepts messages: the service models first, then what is on this machine. */
export function useChatModels(): ChatModels {
  const { data, error } = useQuery({
    queryKey: ['models'],
    queryFn: () => call<ModelList>('GET', '/v1/models'),
  });
  const models = (data?.data ?? []).filter(({ capabilities }) => capabilities['chat_completion']);
  return { models, error };
}

export function findModel(models: readonly Model[], id: string): Model | undefined {
  return models.find((model) => model.id === id);
}

export function canSee(models: readonly Model[], id: string): boolean {
  const model = findModel(models, id);
  return model !== undefined && hasVision(model);
}

/** Another server's models may accept images: only that server knows. */
function hasVision({ capabilities, local: { engine } }: Model): boolean {
  return capabilities['vision'] === true || engine === 'vision' || engine === 'upstream';
}

export function isReady({ local }: Model): boolean {
  return local.state !== 'not_installed' && local.state !== 'downloading';
}

/** Which model to use for images, in words. */
export function whichCanSee(models: readonly Model[]): string {
  const seeing = models.filter(hasVision);
  const ready = seeing.filter(isReady).map(({ id }) => id);
  if (ready.length > 0) return `Choose one that can: ${ready.join(', ')}.`;
  const [first] = seeing;
  return first === undefined
    ? 'No model here can.'
    : `${first.id} can, once it is installed: askd pull ${first.id}`;
}
