import { open } from 'node:fs/promises';
import { setImmediate as eventLoopTurn } from 'node:timers/promises';
import { InsufficientMemoryError, type LlamaContext, type LlamaModel } from 'node-llama-cpp';
import type { CacheType } from '../../../../src/config/context-cache.ts';
import { Failure } from '../../../../src/base/errors.ts';
import type { LoadOptions } from '../../../../src/runtime/engine.ts';
import type { ModelManifest } from '../../../../src/runtime/manifest.ts';
import type { Backend } from './backend.ts';
import { flashAttentionOf } from './limits.ts';

/** How many turns of the event loop a failure waits for its explanation. */
const LOG_TURNS_MAX = 10;

/** The options with which every kind of session is opened. */
export type OpenOptions = {
  manifest: ModelManifest;
  model: LlamaModel;
  options: LoadOptions;
  signal: AbortSignal;
};

export type OpenModelOptions = {
  backend: Backend;
  path: string;
  /** Tokens of all contexts together; a graphics card needs room for them beside the weights. */
  contextTokensTotal: number;
  /** Layers on cards; as many as fit if absent. */
  gpuLayers?: number | undefined;
  onProgress: ((fraction: number) => void) | undefined;
  signal: AbortSignal;
};

/** Loads the weights, or throws a Failure that says what is wrong with the file. */
export async function openModel({
  backend,
  path,
  contextTokensTotal,
  gpuLayers,
  onProgress,
  signal,
}: OpenModelOptions): Promise<LlamaModel> {
  await checkMagic(path);
  backend.takeComplaints();
  try {
    return await backend.llama.loadModel({
      modelPath: path,
      gpuLayers: gpuLayers ?? { fitContext: { contextSize: contextTokensTotal } },
      loadSignal: signal,
      ...(onProgress && { onLoadProgress: onProgress }),
    });
  } catch (cause) {
    signal.throwIfAborted();
    const reason = [textOf(cause), ...(await complaintsOf(backend))].join('; ');
    const code = cause instanceof InsufficientMemoryError ? 'insufficient_memory' : 'invalid_model_file';
    throw new Failure(code, `${path} cannot be loaded: ${reason}`, { cause });
  }
}

/** llama.cpp's log comes from another thread, sometimes after the failure that it explains. */
async function complaintsOf(backend: Backend): Promise<string[]> {
  let complaints = backend.takeComplaints();
  for (let turn = 0; complaints.length === 0 && turn < LOG_TURNS_MAX; turn++) {
    await eventLoopTurn();
    complaints = backend.takeComplaints();
  }
  return complaints;
}

export type OpenContextOptions = {
  model: LlamaModel;
  slots: number;
  contextTokens: number;
  batchTokens: number;
  threads: number;
  /** Applied to every request of this context. */
  adapters?: ModelManifest['adapters'];
  signal: AbortSignal;
} & Pick<LoadOptions, 'flashAttention' | 'cacheType'>;

const CACHE_GROUP = 32;

export async function openContext(options: OpenContextOptions): Promise<LlamaContext> {
  const { model, slots, contextTokens, batchTokens, threads, signal } = options;
  const { cacheType = 'f16', adapters = [] } = options;
  const flashAttention = flashAttentionOf(model, options.flashAttention);
  checkCacheType(model, cacheType);
  const cacheFormat = cacheType.toUpperCase() as Uppercase<CacheType>;
  try {
    return await model.createContext({
      sequences: slots,
      contextSize: contextTokens,
      batchSize: batchTokens,
      threads,
      flashAttention: flashAttention === 'auto' ? 'auto' : flashAttention === 'on',
      experimentalKvCacheKeyType: cacheFormat,
      experimentalKvCacheValueType: cacheFormat,
      createSignal: signal,
      ...(adapters.length > 0 && {
        lora: { adapters: adapters.map(({ path: filePath, scale }) => ({ filePath, scale })) },
      }),
      // A smaller context than requested would be a silent change.
      failedCreationRemedy: false,
    });
  } catch (cause) {
    signal.throwIfAborted();
    if (/lora|adapter/i.test(textOf(cause))) throw adapterUnfit(adapters, cause);
    const wanted = `${slots} × ${contextTokens} tokens of context`;
    throw new Failure('insufficient_memory', `There is not enough memory for ${wanted}: ${textOf(cause)}`, {
      cause,
    });
  }
}

function adapterUnfit(adapters: NonNullable<ModelManifest['adapters']>, cause: unknown): Failure {
  const names = adapters.map(({ name, path }) => `${name} (${path})`).join(', ');
  return new Failure('model_load_failed', `The adapter ${names} cannot be applied: ${textOf(cause)}`, {
    cause,
  });
}

/** Quantized cache types store numbers in groups, and a group must not span two heads. */
function checkCacheType(model: LlamaModel, cacheType: CacheType): void {
  const { attention, embedding_length: width } = model.fileInfo.architectureMetadata;
  const heads = attention?.head_count;
  const headWidth = attention?.key_length ?? (typeof heads === 'number' && width ? width / heads : undefined);
  if (cacheType === 'f16' || headWidth === undefined || headWidth % CACHE_GROUP === 0) return;
  throw new Failure(
    'model_load_failed',
    `This model does not support kv_cache_type ${cacheType}: its head size ${headWidth} is not a multiple of ${CACHE_GROUP}. ` +
      'Set kv_cache_type to f16 and restart askd.',
  );
}

async function checkMagic(path: string): Promise<void> {
  const magic = await readStart(path, 4);
  if (magic.toString('latin1') === 'GGUF') return;
  const found = magic.length === 0 ? 'is empty' : `begins with ${JSON.stringify(magic.toString('latin1'))}`;
  throw new Failure('invalid_model_file', `${path} is not a GGUF file: it ${found}.`);
}

async function readStart(path: string, bytes: number): Promise<Buffer> {
  try {
    await using file = await open(path);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(bytes), 0, bytes, 0);
    return buffer.subarray(0, bytesRead);
  } catch (cause) {
    throw new Failure('model_load_failed', `${path} cannot be read: ${textOf(cause)}`, { cause });
  }
}

function textOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
