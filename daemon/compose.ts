import { createAttempts } from '../src/access/attempts.ts';
import { createKeys } from '../src/access/keys.ts';
import { createLoginCodes } from '../src/access/login-codes.ts';
import { createSessions } from '../src/access/sessions.ts';
import { systemClock, type Clock } from '../src/clock.ts';
import type { Settings } from '../src/config.ts';
import { createEvents } from '../src/events/events.ts';
import { createMetered } from '../src/inference/metered.ts';
import { createCalibrations } from '../src/library/calibrations.ts';
import type { Log } from '../src/log.ts';
import { builtFile } from '../src/paths.ts';
import type { ModelManifest } from '../src/runtime/manifest.ts';
import { createPool } from '../src/runtime/pool.ts';
import { startRunner } from '../src/runtime/runner.ts';
import { ensureRootToken } from '../src/secrets.ts';
import { openStore } from '../src/store/store.ts';
import { catalog as shippedCatalog } from '../models/catalog.ts';
import { createBoot } from './boot.ts';
import { composeAccounts } from './compose/accounts.ts';
import { composeInference } from './compose/inference.ts';
import { composeLibrary } from './compose/library.ts';
import { composeWebhooks } from './compose/webhooks.ts';

export type Services = ReturnType<typeof compose>;

/** Builds the whole daemon, bottom up. Whatever opens here is closed by `close`, top down. */
export function compose({
  settings,
  log,
  clock = systemClock,
  catalog = shippedCatalog,
}: {
  settings: Settings;
  log: Log;
  clock?: Clock;
  catalog?: readonly ModelManifest[];
}) {
  const { paths } = settings;
  const rootToken = ensureRootToken(paths.rootToken);
  const store = openStore(paths.database);
  const boot = createBoot({ clock, host: settings.host });
  const events = createEvents({ store, clock });
  const accounts = composeAccounts({ store, events, clock, bootId: boot.id, settings, log });
  const keys = createKeys({ store, events, clock });
  const sessions = createSessions({ store, clock });
  const loginCodes = createLoginCodes({ clock });
  const attempts = createAttempts({ clock });
  const { library, downloads, pulls } = composeLibrary({ settings, store, clock, log, catalog });
  const calibrations = createCalibrations({ store, clock });
  const pool = createPool({
    start: startLogged({ settings, log, calibrations }),
    slots: settings.modelSlots,
    queueMax: settings.modelQueueMax,
    clock,
  });
  const { charges } = accounts;
  const metered = createMetered({ store, events, clock, charges, refundFailed: settings.refundFailed });
  const inference = composeInference({ library, pool, metered, settings });
  const stopping = new AbortController();
  const webhooks = composeWebhooks({ settings, store, events, clock, boot, notices: accounts.notices, log });

  async function close(): Promise<void> {
    await downloads.close();
    await pool.close();
    keys.close();
    store.close();
  }

  return {
    settings,
    log,
    clock,
    rootToken,
    store,
    events,
    keys,
    sessions,
    loginCodes,
    attempts,
    ...accounts,
    library,
    downloads,
    pulls,
    pool,
    metered,
    ...inference,
    stopping,
    boot,
    webhooks,
    close,
  };
}

type Starting = { settings: Settings; log: Log; calibrations: ReturnType<typeof createCalibrations> };

/** Starts a runner with the thread count known for this machine, and keeps the one it measures. */
function startLogged({ settings, log, calibrations }: Starting) {
  return async (manifest: ModelManifest, signal: AbortSignal) => {
    const threads = calibrations.threadsFor(manifest);
    const startedAt = performance.now();
    const runner = await startRunner({
      entry: builtFile('models/runner.js'),
      manifest,
      load: {
        slots: settings.modelSlots,
        contextTokens: settings.modelContextTokens,
        ...(threads !== undefined && { threads }),
      },
      signal,
      onOutput: (line) => log.debug({ artifact: manifest.id }, line),
    });
    const { description, pid } = runner;
    if (description.calibration?.isCalm) calibrations.keep(manifest, description.calibration);
    log.info(
      { artifact: manifest.id, pid, ...description, load_ms: performance.now() - startedAt },
      'model loaded',
    );
    void runner.exited.then((exit) => log.info({ artifact: manifest.id, pid, ...exit }, 'runner ended'));
    return runner;
  };
}
