import type { Services } from './compose.ts';
import { checkStore } from './jobs/check-store.ts';
import { deliverWebhooks } from './jobs/deliver-webhooks.ts';
import { pruneAuditLog } from './jobs/prune-audit-log.ts';
import { pruneFiles } from './jobs/prune-files.ts';
import { pruneImages } from './jobs/prune-images.ts';
import { pruneMcpCalls } from './jobs/prune-mcp-calls.ts';
import { pruneResponses } from './jobs/prune-responses.ts';
import { pruneWebhooks } from './jobs/prune-webhooks.ts';
import { runBatches } from './jobs/run-batches.ts';
import { sampleActivity } from './jobs/sample-activity.ts';

/** Background work. Resolves to a function that stops it cleanly. */
export type Loop = (services: Services) => Promise<() => Promise<void>>;

const LOOPS: readonly Loop[] = [
  checkStore,
  deliverWebhooks,
  pruneWebhooks,
  pruneImages,
  pruneResponses,
  pruneFiles,
  pruneMcpCalls,
  pruneAuditLog,
  runBatches,
  sampleActivity,
];

/** Starts every job once the server listens; stops them all, last one first. */
export async function startLoops(services: Services): Promise<() => Promise<void>> {
  const stops: (() => Promise<void>)[] = [];
  for (const start of LOOPS) stops.unshift(await start(services));
  return async () => {
    for (const stop of stops) await stop();
  };
}
