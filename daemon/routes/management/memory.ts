import {
  estimateModel,
  listLoaded,
  loadModel,
  stopModel,
  type LoadedModel,
  type LoadRequest,
} from '../../../src/api/management/memory.ts';
import { parseDuration } from '../../../src/base/units.ts';
import { Failure } from '../../../src/base/errors.ts';
import type { Keep } from '../../../src/runtime/pool.ts';
import { hasContext } from '../../../src/runtime/manifest.ts';
import type { Services } from '../../compose.ts';
import type { RegisterRoute } from '../../http/register-route.ts';

/** Models in memory: list, load, estimate and unload. */
export function registerMemory(register: RegisterRoute, services: Services): void {
  const { library, pool, estimate } = services;

  register(listLoaded, () => ({ models: loadedModels(services) }));

  register(loadModel, async ({ body, client }) => {
    const manifest = library.resolve(body.model);
    await pool.load(manifest, toKeep(body), client);
    const loaded = loadedModels(services).find(({ artifact }) => artifact === manifest.id);
    if (loaded) return loaded;
    throw new Failure('runner_crashed', `"${manifest.id}" exited right after loading. See: askd logs`);
  });

  register(estimateModel, ({ body }) => {
    const manifest = library.resolve(body.model);
    const found = estimate(manifest);
    const { contextTokens, slots, weights, cache, overhead, measured, budget, fits } = found;
    return {
      artifact: manifest.id,
      context_tokens: hasContext(manifest) ? contextTokens : null,
      context_reason: hasContext(manifest) ? found.contextReason : null,
      slots,
      weights_bytes: weights,
      context_bytes: cache,
      overhead_bytes: overhead,
      estimated_bytes: weights + cache + overhead,
      measured_bytes: measured,
      budget_bytes: budget,
      fits,
    };
  });

  register(stopModel, async ({ body }) => {
    const id = library.boundArtifact(body.model)?.id ?? body.model;
    return { stopped: await pool.stop(id) };
  });
}

export function loadedModels({ pool, library }: Services): LoadedModel[] {
  return pool.status().map((entry) => ({ ...entry, services: library.servicesOf(entry.artifact) }));
}

/** A duration means that the model may be unloaded, so it ends a pin. */
function toKeep({ pin, keep_alive: text }: LoadRequest): Keep {
  if (text === undefined) return pin === undefined ? {} : { isPinned: pin };
  if (pin)
    throw new Failure('invalid_value', 'Give either "pin" or "keep_alive", not both.', { param: 'pin' });
  const keepAliveMs = parseDuration(text);
  if (keepAliveMs !== undefined) return { isPinned: false, keepAliveMs };
  const message = `${JSON.stringify(text)} is not a duration. Use 30s, 10m, 1h30m, 0 or forever.`;
  throw new Failure('invalid_value', message, { param: 'keep_alive' });
}
