import type { Services } from '../compose.ts';
import { pruneInBatches } from './in-batches.ts';

const FIRST_MS = 60_000;

/** Deletes old deliveries and expired ones. */
export async function pruneWebhooks({ webhooks, log }: Services): Promise<() => Promise<void>> {
  const { prune } = webhooks;
  return pruneInBatches({ prune, firstMs: FIRST_MS, log, failed: 'pruning webhooks failed' });
}
