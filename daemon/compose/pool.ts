import type { Clock } from '../../src/base/clock.ts';
import type { Settings } from '../../src/config/config.ts';
import type { Events } from '../../src/events/events.ts';
import type { Calibrations } from '../../src/library/calibrations.ts';
import type { Engines } from '../../src/library/engines/engines.ts';
import { refuseToLoad } from '../../src/library/formats/gguf-obstacle.ts';
import { createMemoryNeeds } from '../../src/library/memory-needs.ts';
import type { Log } from '../../src/log/log.ts';
import { entryFile } from '../../src/base/paths.ts';
import { NOWHERE, type Place } from '../../src/runtime/devices/device.ts';
import type { PoolEvent, StartOptions } from '../../src/runtime/loads.ts';
import { needsRunner, type ModelManifest } from '../../src/runtime/manifest.ts';
import {
  budgetOf,
  fits,
  NO_BYTES,
  placeBytes,
  shareOf,
  spread,
  totalOf,
  type Bytes,
} from '../../src/runtime/memory.ts';
import { asRunner } from '../../src/runtime/in-process.ts';
import { createPool } from '../../src/runtime/pool.ts';
import { startRunner, type Runner } from '../../src/runtime/runner.ts';
import type { Sandbox } from '../../src/runtime/sandbox/sandbox.ts';
import type { Store } from '../../src/store/store.ts';
import { createScript } from '../../src/upstream/scripted/script.ts';
import { openScript } from '../../src/upstream/scripted/session.ts';
import { createServerList } from '../../src/upstream/server-list.ts';
import { openUpstream } from '../../src/upstream/session.ts';
import { createContexts } from './context.ts';
import type { DeviceList } from './devices.ts';

/** How long a model accepts new requests before it makes room for another one in the queue. */
const TURN_MS = 5_000;

const NOTHING = { weights: 0, cache: 0, overhead: 0 };

type Parts = {
  settings: Settings;
  log: Log;
  store: Store;
  events: Events;
  clock: Clock;
  engines: Pick<Engines, 'modulesOf'>;
  calibrations: Calibrations;
  devices: Pick<DeviceList, 'prepare' | 'known' | 'placeOf'>;
  sandbox: Sandbox;
  /** Called for each load and unload. */
  onEvent: (event: PoolEvent) => void;
};

/** The pool and everything that it learns: thread counts, measured memory, detected graphics cards. */
export function composePool({ settings, log, store, events, clock, ...parts }: Parts) {
  const { engines, calibrations, devices, sandbox, onEvent } = parts;
  const needs = createMemoryNeeds({ store, clock });
  const {
    flashAttention,
    drafting,
    exactVectors,
    kvCacheType: cacheType,
    pinnedSystemPrompts: texts,
  } = settings;
  const { slotsOf, planOf, leastFor } = createContexts({ settings, needs });
  const budget = () => budgetOf(settings.memoryBudgetBytes, devices.known());

  function placeOf(manifest: ModelManifest, memory: { free: Bytes; room: Bytes }): Place {
    return devices.placeOf(manifest, {
      ...memory,
      bytes: needsRunner(manifest) ? leastFor(manifest) * (shareOf(manifest) ?? 1) : 0,
    });
  }

  /** If it were loaded alone. A model that cannot be placed is shown as if it had no placement. */
  function alone(manifest: ModelManifest): Place {
    try {
      return placeOf(manifest, { free: budget(), room: budget() });
    } catch {
      return NOWHERE;
    }
  }

  function needOf(manifest: ModelManifest, contextTokens: number, slots: number, { cards }: Place) {
    if (!needsRunner(manifest)) return NO_BYTES;
    const load = { contextTokens, slots, cacheType, flashAttention };
    const measured = needs.measured(manifest, load);
    if (measured && (measured.vram === 0 || cards.length > 0))
      return { ram: measured.ram, vram: spread(measured.vram, cards) };
    const { weights, cache, overhead } = needs.estimate(manifest, load);
    const bytes = weights + cache;
    return placeBytes({ bytes, overheadBytes: overhead, cards, share: shareOf(manifest) });
  }

  const upstreamServers = createServerList();
  /** One instance for all loads of the model: an unload does not restart its sequences of answers. */
  const script = createScript(settings.scriptedAnswers);
  if (settings.scriptedAnswers !== '') script.check();

  async function start(manifest: ModelManifest, options: StartOptions): Promise<Runner> {
    if (needsRunner(manifest)) return startHere(manifest, options);
    if (manifest.engine === 'script') return asRunner(openScript(script, { slots: slotsOf(manifest) }));
    return asRunner(openUpstream(manifest, { slots: slotsOf(manifest), list: upstreamServers }));
  }

  /** Starts a runner with the calibrated thread count, and stores what it measures. */
  async function startHere(manifest: ModelManifest, options: StartOptions) {
    refuseToLoad(manifest);
    const { contextTokens, slots, place, signal, onProgress } = options;
    const load = { contextTokens, slots, cacheType, flashAttention };
    const threads = calibrations.threadsFor(manifest);
    const modules = engines.modulesOf(manifest.engine);
    const runner = await startRunner({
      entry: entryFile('models/runner.js'),
      manifest,
      load: {
        ...load,
        flashAttention,
        drafting,
        exactVectors,
        onProgress,
        ...(texts.length > 0 && { pinnedPrompts: { texts, folder: settings.paths.promptStates } }),
        ...(threads !== undefined && { threads }),
        ...(modules !== undefined && { modules }),
        ...(place.devices !== undefined && { devices: place.devices }),
      },
      sandbox: await sandbox.forRunner(),
      uploads: settings.paths.uploads,
      signal,
      onOutput: (line) => log.debug({ artifact: manifest.id }, line),
    });
    const { calibration, memory, device } = runner.description;
    orNotify(log, 'the memory measured while loading was not stored', () => {
      if (calibration?.isCalm) calibrations.keep(manifest, calibration);
      if (memory) needs.keep(manifest, load, { ...memory, device });
    });
    return runner;
  }

  const pool = createPool({
    start,
    prepare: devices.prepare,
    placeOf,
    needOf,
    budget,
    promptCacheBytes: settings.promptCacheBytes,
    contextOf: planOf,
    report(event) {
      onEvent(event);
      orNotify(log, 'a model event was not recorded', () => report(event, { log, store, events }));
    },
    slotsOf,
    queueMax: settings.modelQueueMax,
    keepAliveMs: settings.keepAliveMs,
    waitMs: settings.modelWaitMs,
    turnMs: TURN_MS,
    clock,
  });

  /** The memory of a load, measured or estimated from the file. */
  function estimate(manifest: ModelManifest) {
    const place = alone(manifest);
    const { contextTokens, slots, reason } = planOf(manifest, budget(), place);
    const load = { contextTokens, slots, cacheType, flashAttention };
    const isElsewhere = !needsRunner(manifest);
    const { weights, cache, overhead } = isElsewhere ? NOTHING : needs.estimate(manifest, load);
    const measured = needs.measured(manifest, load);
    return {
      ...load,
      contextReason: reason,
      weights,
      cache,
      overhead,
      measured: measured ? measured.ram + measured.vram : null,
      budget: totalOf(budget()),
      fits: fits(needOf(manifest, contextTokens, slots, place), budget()),
    };
  }

  /** The context that a model would have if it were loaded alone. */
  const contextOf = (manifest: ModelManifest) => planOf(manifest, budget(), alone(manifest));

  return { pool, sandbox, estimate, contextOf, upstreamServers };
}

/** The state of a model changes even if a full disk prevents recording it. */
function orNotify(log: Log, message: string, write: () => void): void {
  try {
    write();
  } catch (error) {
    log.error({ err: error }, message);
  }
}

type Reporting = Pick<Parts, 'log' | 'store' | 'events'>;

/** To the log for people, and as events for programs. */
function report(event: PoolEvent, { log, store, events }: Reporting): void {
  const artifact = event.manifest.id;
  if (event.type === 'loaded') return reportLoaded(event, { log, store, events });
  if (event.type === 'load_failed') {
    const { code, message, cause } = event.failure;
    log.warn({ artifact, code, cause }, `model not loaded: ${message}`);
    store.transaction(() => events.record('model.load_failed', { artifact, code, message }));
    return;
  }
  log.info({ artifact, reason: event.reason }, 'model unloaded');
  store.transaction(() => events.record('model.unloaded', { artifact, reason: event.reason }));
}

function reportLoaded(event: Extract<PoolEvent, { type: 'loaded' }>, { log, store, events }: Reporting) {
  const { runner, bytes, contextReason, loadMs } = event;
  const artifact = event.manifest.id;
  const { device, fallback, textsAlone, contextTokens, slots } = runner.description;
  const { sandbox } = runner;
  const loaded = { ...runner.description, sandbox, context_reason: contextReason, load_ms: loadMs };
  log.info({ artifact, pid: runner.pid, ...loaded }, 'model loaded');
  if (fallback) log.warn({ artifact }, `the model runs on the processor: ${fallback}`);
  if (textsAlone) log.warn({ artifact }, `texts are embedded one at a time: ${textsAlone}`);
  logExit(runner, { artifact, log });
  store.transaction(() =>
    events.record('model.loaded', {
      artifact,
      device,
      fallback: fallback ?? null,
      context_tokens: contextTokens,
      slots,
      memory_bytes: totalOf(bytes),
      load_ms: Math.round(loadMs),
    }),
  );
}

function logExit(runner: Runner, { artifact, log }: { artifact: string; log: Log }): void {
  const { pid } = runner;
  void runner.exited.then((exit) => log.info({ artifact, pid, ...exit }, 'runner ended'));
}
