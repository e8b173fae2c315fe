import type { ItemEvent } from '../../runtime/engine.ts';

/** The results of a task over a list, in the order of its items. */
export async function collectItems<Result>(
  events: AsyncIterable<ItemEvent<Result>>,
  signal: AbortSignal,
): Promise<Result[]> {
  const results: Result[] = [];
  for await (const event of events) if (event.type === 'item') results[event.index] = event.result;
  signal.throwIfAborted();
  return results;
}
