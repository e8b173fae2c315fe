import {
  bindService,
  estimateModel,
  getStatus,
  health,
  importArtifact,
  listArtifacts,
  listLoaded,
  loadModel,
  shutdown,
  stopModel,
  type Artifact,
  type LoadRequest,
} from '../../src/api/daemon.ts';
import { toIso } from '../../src/clock.ts';
import { parseDuration } from '../../src/duration.ts';
import { Failure } from '../../src/errors.ts';
import { baseUrls } from '../../src/presence.ts';
import type { ModelManifest } from '../../src/runtime/manifest.ts';
import type { Keep } from '../../src/runtime/pool.ts';
import { version } from '../../src/version.ts';
import type { Services } from '../compose.ts';
import type { Mount } from '../mount.ts';

export function mountDaemon(mount: Mount, services: Services): void {
  const { library, pool, estimate, keys, clock, settings, boot } = services;
  const loadedModels = () =>
    pool.status().map((entry) => ({ ...entry, services: library.servicesOf(entry.artifact) }));

  mount(health, () => ({ status: 'ok' as const, version }));

  mount(getStatus, ({ principal }) => ({
    version,
    pid: process.pid,
    home: settings.paths.home,
    ...baseUrls(boot.address()),
    boot_id: boot.id,
    started_at: toIso(boot.startedAt),
    uptime_seconds: (clock.now() - boot.startedAt) / 1000,
    memory_bytes: process.memoryUsage.rss(),
    active_keys: keys.countActive(principal.accountId),
    // Without the one that asks.
    requests_in_flight: boot.inFlight() - 1,
    models: loadedModels(),
  }));

  mount(listLoaded, () => ({ models: loadedModels() }));

  mount(loadModel, async ({ body, client }) => {
    const manifest = library.resolve(body.model);
    await pool.load(manifest, toKeep(body), client);
    const loaded = loadedModels().find(({ artifact }) => artifact === manifest.id);
    if (loaded) return loaded;
    throw new Failure('runner_crashed', `"${manifest.id}" ended right after it was loaded. See: askd logs`);
  });

  mount(estimateModel, ({ body }) => {
    const manifest = library.resolve(body.model);
    const { contextTokens, slots, weights, cache, overhead, need, measured, budget } = estimate(manifest);
    return {
      artifact: manifest.id,
      context_tokens: contextTokens,
      slots,
      weights_bytes: weights,
      context_bytes: cache,
      overhead_bytes: overhead,
      estimated_bytes: weights + cache + overhead,
      measured_bytes: measured,
      budget_bytes: budget,
      fits: need <= budget,
    };
  });

  mount(stopModel, async ({ body }) => {
    const id = library.boundArtifact(body.model)?.id ?? body.model;
    return { stopped: await pool.stop(id) };
  });

  mount(listArtifacts, () => ({
    artifacts: library.artifacts().map((artifact) => toArtifact(artifact, services)),
  }));

  mount(importArtifact, async ({ body }) => {
    const manifest = await library.importArtifact({
      id: body.id,
      path: body.path,
      mode: body.mode ?? 'link',
    });
    return toArtifact(manifest, services);
  });

  mount(bindService, ({ body }) => {
    library.bind(body.service, body.artifact);
    return body;
  });

  mount(shutdown, ({ reply }) => {
    reply.raw.once('finish', boot.requestStop);
    return { stopping: true as const };
  });
}

/** A time says that the model may leave after all, so it ends a pin. */
function toKeep({ pin, keep_alive: text }: LoadRequest): Keep {
  if (text === undefined) return pin === undefined ? {} : { isPinned: pin };
  const keepAliveMs = parseDuration(text);
  if (pin)
    throw new Failure('invalid_value', 'Give either "pin" or "keep_alive", not both.', { param: 'pin' });
  if (keepAliveMs !== undefined) return { isPinned: false, keepAliveMs };
  const message = `${JSON.stringify(text)} is no time. Write 30s, 10m, 1h30m, 0 or forever.`;
  throw new Failure('invalid_value', message, { param: 'keep_alive' });
}

function toArtifact(manifest: ModelManifest, { library }: Services): Artifact {
  const { id, name, engine, tasks, tier, licence, path, bytes, contextTokensMax, notice } = manifest;
  return {
    id,
    name,
    engine,
    tasks: [...tasks],
    tier,
    licence,
    path,
    bytes,
    context_tokens_max: contextTokensMax,
    bound_to: library.servicesOf(id),
    ...(notice !== undefined && { notice }),
  };
}
