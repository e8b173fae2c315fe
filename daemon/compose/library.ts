import { totalmem } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '../../src/base/clock.ts';
import { edition } from '../../models/catalog/edition.ts';
import { createCatalog } from '../../src/library/catalog/catalog.ts';
import { repositoryPage } from '../../src/base/version.ts';
import type { Settings } from '../../src/config/config.ts';
import { scriptedModel } from '../../src/upstream/scripted/manifest.ts';
import { createCalibrations } from '../../src/library/calibrations.ts';
import type { Machine } from '../../src/library/choose-artifact.ts';
import { createAdoption } from '../../src/library/adopt/adoption.ts';
import { createDownloads } from '../../src/library/download/downloads.ts';
import { createStartTransfer } from '../../src/library/download/start-transfer.ts';
import { createEngines } from '../../src/library/engines/engines.ts';
import type { OptionalEngine } from '../../src/library/engines/optional-engines.ts';
import { openHubCache } from '../../src/library/hub/cache.ts';
import { createLibrary } from '../../src/library/library.ts';
import {
  createPulls,
  discardPlan,
  installPlan,
  jobOf,
  receivedOfPlan,
} from '../../src/library/pull/pulls.ts';
import type { Log } from '../../src/log/log.ts';
import { entryFile, packageRoot } from '../../src/base/paths.ts';
import type { ModelManifest } from '../../src/runtime/manifest.ts';
import type { Store } from '../../src/store/store.ts';

type Parts = {
  settings: Settings;
  store: Store;
  clock: Clock;
  log: Log;
  catalog: readonly ModelManifest[];
  optionalEngines: readonly OptionalEngine[];
};

/** The models on this machine, and how more are installed. */
export function composeLibrary({ settings, store, clock, log, catalog: models, optionalEngines }: Parts) {
  const cache = openHubCache(settings.hub.cache);
  const calibrations = createCalibrations({ store, clock });
  const machine: Machine = {
    memoryBytes: memoryOfMachine(),
    get speed() {
      return calibrations.machineSpeed();
    },
  };
  const engines = composeEngines(settings, optionalEngines);
  const catalog = composeCatalog(settings, { models, clock });
  const problem = catalog.problem();
  if (problem !== undefined) log.warn({ reason: problem }, 'the downloaded catalogue is not used');
  const scripted = scriptedModel(settings.scriptedAnswers);
  const library = createLibrary({
    store,
    clock,
    catalog: () => [...catalog.models(), ...scripted],
    modelsFolder: settings.paths.models,
    upstreamsFolder: settings.paths.upstreams,
    cache,
    machine,
    offersStarter: settings.starter,
    engineObstacle: (engine) => engines.obstacle(engine),
  });
  const downloads = createDownloads({
    store,
    clock,
    log,
    startTransfer: createStartTransfer(entryFile('src/library/download/transfer-worker.js')),
    jobOf: jobOf(settings, cache),
    receivedOf: receivedOfPlan(settings, cache),
    install: installPlan({ library, cache }),
    discard: discardPlan(cache),
  });
  const pulls = createPulls({ library, downloads, cache, machine, settings });
  const adoption = createAdoption({
    library,
    stores: settings.hub.otherCaches,
    hubCache: settings.hub.cache,
  });
  return { library, catalog, engines, downloads, pulls, adoption, machine, calibrations };
}

function composeCatalog(
  settings: Settings,
  { models, clock }: Pick<Parts, 'clock'> & { models: Parts['catalog'] },
) {
  const { paths, catalogUrl, catalogKeys, hub, offline, downloadStallMs, downloadRetryMs } = settings;
  return createCatalog({
    builtIn: { models, edition },
    path: paths.catalog,
    url: catalogUrl || publishedAt(),
    keys: catalogKeys,
    access: { proxy: hub.proxy, stallMs: downloadStallMs, retryMs: downloadRetryMs },
    isOffline: offline,
    clock,
  });
}

/** The release workflow publishes it there, beside the versions. */
function publishedAt(): string {
  return repositoryPage === undefined ? '' : `${repositoryPage}/releases/download/catalog/askd-catalog.json`;
}

function composeEngines(
  { paths, npmRegistry, hub, offline, downloadStallMs, downloadRetryMs }: Settings,
  table: readonly OptionalEngine[],
) {
  return createEngines({
    folder: paths.engines,
    repositoryModules: join(packageRoot, 'node_modules'),
    registry: {
      address: npmRegistry,
      proxy: hub.proxy,
      stallMs: downloadStallMs,
      retryMs: downloadRetryMs,
    },
    isOffline: offline,
    table,
  });
}

/** A container may have less memory than the machine. */
function memoryOfMachine(): number {
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}
