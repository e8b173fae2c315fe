import type { Library } from '../library/library.ts';
import type { Pool } from '../runtime/pool.ts';
import type { ModelManifest } from '../runtime/manifest.ts';
import { runItems, stopSignal, type TaskContext } from './items.ts';
import type { Fallbacks } from './fallback/fallback.ts';
import type { Metered } from './metered.ts';
import { toModeration, type Thresholds } from './moderation/scores.ts';
import { categoryScores, startScoring } from './moderation/scoring.ts';
import { resolveFor } from './resolve.ts';
import { reportServed } from './served.ts';

export type ModerateInput = { model: string; inputs: readonly string[] };

export type Moderated = ReturnType<typeof toModeration>;
export type Moderation = { results: readonly Moderated[]; promptTokens: number };

export type Moderate = ReturnType<typeof createModerate>;

type Checking = Pick<TaskContext, 'accountId' | 'batch'> & { signal: AbortSignal };

const MODEL = 'svc-moderation-v1';

type Options = {
  library: Library;
  pool: Pool;
  metered: Metered;
  fallbacks: Fallbacks;
  thresholds: Thresholds;
};

export function createModerate({ library, pool, metered, fallbacks, thresholds }: Options) {
  async function moderate({ model, inputs }: ModerateInput, context: TaskContext): Promise<Moderation> {
    const signal = stopSignal(context);
    const manifest = resolveFor(library, { model, task: 'moderate', attempt: context.attempt });
    using slot = await pool.slot(manifest, signal, context.batch);
    reportServed(context, manifest, slot.runner);
    const items = runItems({
      metered,
      request: { task: 'moderate', model, artifact: manifest.id },
      context,
      events: startScoring({ runner: slot.runner, manifest, inputs, accountId: context.accountId, signal }),
      count: inputs.length,
    });
    const results: Moderated[] = [];
    let promptTokens = 0;
    for await (const item of items) {
      results[item.index] = moderateItem(manifest, item.result);
      promptTokens += item.promptTokens;
    }
    return { results, promptTokens };
  }

  async function allows(
    inputs: readonly string[],
    { accountId, signal, batch, attempt }: Checking & Pick<TaskContext, 'attempt'>,
  ): Promise<boolean> {
    if (inputs.length === 0) return true;
    const manifest = resolveFor(library, { model: MODEL, task: 'moderate', attempt });
    using slot = await pool.slot(manifest, signal, batch);
    let moderated = 0;
    for await (const event of startScoring({ runner: slot.runner, manifest, inputs, accountId, signal })) {
      if (event.type !== 'item') continue;
      if (moderateItem(manifest, event.result).flagged) return false;
      moderated += 1;
    }
    signal.throwIfAborted();
    if (moderated === inputs.length) return true;
    throw new Error(`${manifest.id} classified ${moderated} of ${inputs.length} texts`);
  }

  function moderateItem(manifest: ModelManifest, result: Record<string, number>): Moderated {
    return toModeration(categoryScores(manifest, result), thresholds);
  }

  return {
    moderate: (input: ModerateInput, context: TaskContext): Promise<Moderation> =>
      fallbacks.once(input.model, context, (each) => moderate(input, each)),
    /** For the daemon's own moderation, which is free. */
    allows: (inputs: readonly string[], checking: Checking): Promise<boolean> =>
      fallbacks.once(MODEL, { ...checking, client: checking.signal }, (each) => allows(inputs, each)),
  };
}
