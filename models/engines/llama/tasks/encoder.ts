import type { LlamaModel, Token } from 'node-llama-cpp';
import { Failure } from '../../../../src/base/errors.ts';
import type { Session, SessionDescription } from '../../../../src/runtime/engine.ts';
import type { Task } from '../../../../src/runtime/manifest.ts';
import { guardMethods } from '../../guard.ts';
import { createScoreMethods } from '../../scores.ts';
import { createFairQueue, type FairQueue } from '../../fair-queue.ts';
import { createVectorMethods } from '../../vectors.ts';
import { describeDevice } from '../loading/backend.ts';
import { calibrateThreads, type Trial } from '../loading/calibrate.ts';
import { openEmbedder, type EmbedderParts } from './embedder.ts';
import type { OpenOptions } from '../loading/load-model.ts';
import { openRanker } from './ranker.ts';
import { createThreadGovernor } from '../scheduling/thread-governor.ts';

const TRIAL_TOKENS = 64;

/** Models that evaluate a text at once and return a vector or a score. */
export async function openEncoder({ manifest, model, options, signal }: OpenOptions): Promise<Session> {
  const contextTokens = Math.min(options.contextTokens, model.trainContextSize);
  const calibration =
    options.threads === undefined ? await calibrateThreads(model, signal, openEmbedTrial) : undefined;
  const threads = options.threads ?? calibration?.threads ?? 1;
  const description: SessionDescription = {
    slots: options.slots,
    contextTokens,
    threads,
    ...(await describeDevice(model, options.devices)),
    ...(calibration && { calibration }),
  };
  const governor = createThreadGovernor({
    threadsMax: threads,
    setThreads: (allowed) => (model.llama.maxThreads = allowed),
  });
  const turns = createFairQueue();
  const parts = { model, contextTokens, threads, signal, beforeItem: () => governor.observe() };
  const { methods, whyAlone } = await openMethods({ ...parts, isExact: options.exactVectors ?? true }, turns);
  if (whyAlone !== undefined) description.textsAlone = whyAlone;
  checkTasks(manifest.tasks, methods);
  let disposed: Promise<void> | undefined;
  return {
    description,
    ...guardMethods(methods, () => disposed === undefined),
    [Symbol.asyncDispose]() {
      disposed ??= turns.close().then(() => model.dispose());
      return disposed;
    },
  };
}

async function openMethods(
  parts: EmbedderParts,
  turns: FairQueue,
): Promise<{ methods: Methods; whyAlone?: string | undefined }> {
  if (parts.model.fileInsights.supportsRanking)
    return { methods: createScoreMethods(await openRanker(parts), turns) };
  const embedder = await openEmbedder(parts);
  return { methods: createVectorMethods(embedder, turns), whyAlone: embedder.whyAlone };
}

function checkTasks(tasks: readonly Task[], methods: Methods): void {
  if (tasks.some((task) => task in methods)) return;
  const can = Object.keys(methods).join(', ');
  throw new Failure(
    'invalid_model_file',
    `The file contains a model for ${can}, not for ${tasks.join(', ')}.`,
  );
}

type Methods = Pick<Session, 'embed' | 'rerank'>;

/** For models that only evaluate: what counts is prefill speed. */
async function openEmbedTrial(model: LlamaModel, threads: number): Promise<Trial> {
  const size = Math.min(TRIAL_TOKENS, model.trainContextSize - 2);
  const context = await model.createEmbeddingContext({
    contextSize: size + 3,
    batchSize: size + 3,
    threads,
    ignoreMemorySafetyChecks: true,
  });
  const text = new Array<Token>(size).fill(model.tokens.eos ?? (0 as Token));
  return {
    async msOfRound() {
      const startedAt = performance.now();
      await context.getEmbeddingFor(text);
      return (performance.now() - startedAt) / size;
    },
    dispose: () => context.dispose(),
  };
}
