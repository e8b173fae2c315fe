import type { Services } from './compose.ts';
import { checkStore } from './loops/check-store.ts';
import { deliverWebhooks } from './loops/deliver-webhooks.ts';
import { pruneImages } from './loops/prune-images.ts';
import { pruneResponses } from './loops/prune-responses.ts';
import { pruneWebhooks } from './loops/prune-webhooks.ts';

/** Work that nobody's request starts. Resolves to what ends it cleanly. */
export type Loop = (services: Services) => Promise<() => Promise<void>>;

const LOOPS: readonly Loop[] = [checkStore, deliverWebhooks, pruneWebhooks, pruneImages, pruneResponses];

/** Starts every loop, once the server listens; ends them all, the last one first. */
export async function startLoops(services: Services): Promise<() => Promise<void>> {
  const stops: (() => Promise<void>)[] = [];
  for (const start of LOOPS) stops.unshift(await start(services));
  return async () => {
    for (const stop of stops) await stop();
  };
}
