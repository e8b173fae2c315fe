import type { Llama, LlamaModel } from 'node-llama-cpp';
import { Failure } from '../../src/base/errors.ts';
import { readEnvironment } from '../../src/config/environment.ts';
import type { Engine, LoadOptions, Session, SessionDescription } from '../../src/runtime/engine.ts';
import type { ModelManifest } from '../../src/runtime/manifest.ts';
import { describeDevice, openBackend } from './llama/loading/backend.ts';
import { calibrateThreads } from './llama/loading/calibrate.ts';
import { openEncoder } from './llama/tasks/encoder.ts';
import { createChat } from './llama/tasks/chat.ts';
import { openSpeculative, type OpenSpeculative } from './llama/speculative/open-speculative.ts';
import { createPromptClassifier } from './llama/tasks/classification.ts';
import { flashAttentionOf, slotsOf } from './llama/loading/limits.ts';
import { openContext, openModel, type OpenOptions } from './llama/loading/load-model.ts';
import { tileTokensOf } from './llama/scheduling/prefill-pace.ts';
import { createCountedPrompts } from './llama/generation/counted-prompts.ts';
import { createPromptBuilder, type PromptBuilder } from './llama/generation/prompt.ts';
import { stateRoomOf, type StateRoom } from './llama/prefix-cache/sequence-state.ts';
import { openSavedPrompts } from './llama/prefix-cache/saved-prompts.ts';
import { createTokenizer } from './llama/tasks/tokenizer.ts';
import { createCostlyTurns } from './llama/scheduling/costly-turns.ts';
import { createOneTokenDecode } from './llama/scheduling/one-token-decode.ts';
import { createScheduler, type Scheduler } from './llama/scheduling/scheduler.ts';
import { createThreadGovernor } from './llama/scheduling/thread-governor.ts';

/** Tokens per batch. */
const BATCH_TOKENS = 512;
/** Checkpoints per sequence, for models whose memory cannot be rolled back. */
const CHECKPOINTS_MAX = 8;
const WEIGHTS_SHARE_OF_LOAD = 0.9;

/** GGUF language models, by llama.cpp. */
export const llama: Engine = { name: 'llama', load };

async function load(manifest: ModelManifest, options: LoadOptions, signal: AbortSignal): Promise<Session> {
  signal.throwIfAborted();
  const local = options.modules === undefined ? undefined : { folder: options.modules };
  const backend = await openBackend(local, options.devices?.backend);
  // No limit, until the governor of this model sets one.
  backend.llama.maxThreads = 0;
  const { onProgress, contextTokens, slots } = options;
  const ramBefore = process.memoryUsage.rss();
  const model = await openModel({
    backend,
    path: manifest.path,
    contextTokensTotal: contextTokens * slots,
    gpuLayers: manifest.placement?.gpuLayers,
    onProgress: onProgress && ((fraction) => onProgress(fraction * WEIGHTS_SHARE_OF_LOAD)),
    signal,
  });
  try {
    const generates = (['chat', 'moderate', 'translate'] as const).some((task) =>
      manifest.tasks.includes(task),
    );
    const open = generates ? openSession : openEncoder;
    const session = await open({ manifest, model, options, signal });
    session.description.build = backend.build;
    session.description.memory = await measureMemory(model.llama, ramBefore);
    onProgress?.(1);
    return session;
  } catch (error) {
    await model.dispose();
    throw nameFile(error, manifest.path);
  }
}

async function openSession({ manifest, model, options, signal }: OpenOptions): Promise<Session> {
  const contextTokens = Math.min(options.contextTokens, model.trainContextSize);
  const buildPrompt = createPromptBuilder(model, contextTokens);
  const calibration = options.threads === undefined ? await calibrateThreads(model, signal) : undefined;
  const threads = options.threads ?? calibration?.threads ?? 1;
  const { cacheType = 'f16' } = options;
  const flashAttention = flashAttentionOf(model, options.flashAttention);
  const slots = slotsOf(model, options.slots);
  const context = await openContext({
    model,
    slots,
    contextTokens,
    batchTokens: BATCH_TOKENS,
    threads,
    flashAttention,
    cacheType,
    adapters: manifest.adapters,
    signal,
  });
  const description: SessionDescription = {
    slots,
    contextTokens,
    threads,
    chat: buildPrompt.abilities,
    flashAttention,
    cacheType,
    ...(await describeDevice(model, options.devices)),
    ...(calibration && { calibration }),
  };
  const sequences = Array.from({ length: slots }, () =>
    context.getSequence({ checkpoints: { max: CHECKPOINTS_MAX } }),
  );
  const governor = createThreadGovernor({
    threadsMax: threads,
    // The context keeps requesting all its threads; this limits how many it gets.
    setThreads: (allowed) => (model.llama.maxThreads = allowed),
  });
  const pinned = options.pinnedPrompts;
  const savedPrompts =
    pinned &&
    (await openSavedPrompts({
      ...{ model, path: manifest.path, adapters: manifest.adapters ?? [], pinned, buildPrompt },
      context: { contextTokens, cacheType, flashAttention },
    }));
  const drafts = await openSpeculative({
    ...{ backend: await openBackend(), model, sequences, options, contextTokens, threads, signal },
    draft: manifest.draft,
    isDraftOnProcessor: manifest.placement?.draftOn === 'cpu',
    batchTokens: BATCH_TOKENS,
  });
  if (drafts) description.draftedBy = drafts.draftedBy;
  const stateRoom = stateRoomOf(sequences);
  const scheduler = createScheduler({
    sequences,
    batchTokens: BATCH_TOKENS,
    tileTokens: tileTokensOf({ flashAttention, cacheType }),
    beforeStep: () => governor.observe(),
    onRest: () => governor.rest(),
    savedPrompts,
    promptCacheBytes: Math.min(options.promptCacheBytes ?? 0, stateRoom.bytesMax),
    drafting: drafts?.drafting,
    oneTokenDecode: createOneTokenDecode({ context, threads, poolThreads: readEnvironment().poolThreads }),
  });
  void savedPrompts?.save(scheduler, signal);
  const session = createSession({ model, description, buildPrompt, scheduler, drafts });
  return { ...session, ...promptCacheOf(scheduler, stateRoom) };
}

/**
 * Memory-mapped weights count in the process only once they have been read, so the engine's own count may be larger.
 */
async function measureMemory(llama: Llama, ramBefore: number) {
  const { cpuRam, gpuVram } = await llama.getLlamaMemoryUsage();
  return { ram: Math.max(ramBefore + cpuRam, process.memoryUsage.rss()), vram: gpuVram };
}

type SessionParts = {
  model: LlamaModel;
  description: SessionDescription;
  buildPrompt: PromptBuilder;
  scheduler: Scheduler;
  drafts: OpenSpeculative | undefined;
};

function createSession({ model, description, buildPrompt, scheduler, drafts }: SessionParts): Session {
  let disposed: Promise<void> | undefined;

  function ensureOpen(): void {
    if (disposed) throw new Failure('shutting_down', 'This model is being unloaded.');
  }

  const { contextTokens } = description;
  const inTurn = createCostlyTurns();
  const prompts = createCountedPrompts(buildPrompt);
  const chat = createChat({ model, buildPrompt: prompts.built, scheduler, contextTokens, inTurn });
  const tokenizer = createTokenizer(model);
  const classifyByPrompt = createPromptClassifier({ model, buildPrompt, scheduler, contextTokens });

  async function close(): Promise<void> {
    await scheduler.close();
    await drafts?.dispose();
    await model.dispose();
  }

  return {
    description,
    ...(drafts && { draftCounts: () => drafts.drafting.counts() }),
    async *chat(request, signal) {
      ensureOpen();
      yield* chat(request, signal);
    },
    async *classifyByPrompt(request, signal) {
      ensureOpen();
      yield* classifyByPrompt(request, signal);
    },
    async countTokens(prompt, signal) {
      ensureOpen();
      signal.throwIfAborted();
      return inTurn(prompt, 'count', () => prompts.count(prompt));
    },
    async tokenize(request) {
      ensureOpen();
      return tokenizer.tokenize(request);
    },
    async detokenize(tokens) {
      ensureOpen();
      return tokenizer.detokenize(tokens);
    },
    [Symbol.asyncDispose]() {
      disposed ??= close();
      return disposed;
    },
  };
}

/** Does nothing if a sequence can only be kept in a slot. */
function promptCacheOf(scheduler: Scheduler, { bytesMax, isFiles }: StateRoom): Partial<Session> {
  if (bytesMax === 0) return {};
  const { promptCache } = scheduler;
  return {
    promptCache,
    async limitPromptCache(bytes) {
      scheduler.limitPromptCache(Math.min(bytes, bytesMax));
      return promptCache();
    },
    // In-memory files do not count as any process's resident memory.
    ...(isFiles && { helperMemoryBytes: () => promptCache().bytes }),
  };
}

/** An error about a model is only useful with the name of its file. */
function nameFile(error: unknown, path: string): unknown {
  if (!(error instanceof Failure)) return error;
  const { code, message, param, details, cause } = error;
  return new Failure(code, `${path}: ${message}`, { details, cause, ...(param && { param }) });
}
