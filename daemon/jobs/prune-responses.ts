import type { Services } from '../compose.ts';
import { pruneInBatches } from './in-batches.ts';

const FIRST_MS = 90_000;

/** Deletes expired responses and conversations. */
export async function pruneResponses({
  responses,
  conversations,
  log,
}: Services): Promise<() => Promise<void>> {
  const prune = () => [responses.prune(), conversations.prune()].includes(true);
  return pruneInBatches({ prune, firstMs: FIRST_MS, log, failed: 'deleting expired responses failed' });
}
