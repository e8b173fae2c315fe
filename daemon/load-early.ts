import { setTimeout as sleep } from 'node:timers/promises';
import type { Services } from './compose.ts';

/** A sandbox that answers later than this is not waited for. */
const START_MS_MAX = 250;

/**
 * Loads the model of the request that the daemon is started for. Resolves when its runner has been started, which then
 * loads the model while this process builds its server, and would otherwise have to wait for that.
 */
export async function loadEarly(model: string, services: Services): Promise<void> {
  const { library, pool, sandbox, stopping, log } = services;
  const load = async () => pool.load(library.resolve(model), {}, stopping.signal);
  const loading = load().catch((error: unknown) => {
    // The request will fail with the same reason, and report it.
    log.debug({ err: error, model }, 'the model was not loaded early');
  });
  const given = new AbortController();
  const late = sleep(START_MS_MAX, undefined, { signal: given.signal }).catch(() => undefined);
  await Promise.race([loading, sandbox.find(), late]);
  given.abort();
}
