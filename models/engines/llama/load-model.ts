import { open } from 'node:fs/promises';
import { InsufficientMemoryError, type LlamaContext, type LlamaModel } from 'node-llama-cpp';
import { Failure } from '../../../src/errors.ts';
import type { LoadOptions } from '../../../src/runtime/engine.ts';
import type { ModelManifest } from '../../../src/runtime/manifest.ts';
import type { Backend } from './backend.ts';

/** What every kind of session is opened with. */
export type OpenOptions = {
  manifest: ModelManifest;
  model: LlamaModel;
  options: LoadOptions;
  signal: AbortSignal;
};

export type OpenModelOptions = {
  backend: Backend;
  path: string;
  /** Tokens of all contexts together, for which a graphics card needs room beside the weights. */
  contextTokensTotal: number;
  onProgress: ((fraction: number) => void) | undefined;
  signal: AbortSignal;
};

/** Opens the weights, or says in a Failure what is wrong with the file. */
export async function openModel({
  backend,
  path,
  contextTokensTotal,
  onProgress,
  signal,
}: OpenModelOptions): Promise<LlamaModel> {
  await checkMagic(path);
  backend.takeComplaints();
  try {
    return await backend.llama.loadModel({
      modelPath: path,
      gpuLayers: { fitContext: { contextSize: contextTokensTotal } },
      loadSignal: signal,
      ...(onProgress && { onLoadProgress: onProgress }),
    });
  } catch (cause) {
    signal.throwIfAborted();
    const reason = [textOf(cause), ...backend.takeComplaints()].join('; ');
    const code = cause instanceof InsufficientMemoryError ? 'insufficient_memory' : 'invalid_model_file';
    throw new Failure(code, `${path} can't be loaded: ${reason}`, { cause });
  }
}

export type OpenContextOptions = {
  model: LlamaModel;
  slots: number;
  contextTokens: number;
  batchTokens: number;
  threads: number;
  signal: AbortSignal;
};

export async function openContext(options: OpenContextOptions): Promise<LlamaContext> {
  const { model, slots, contextTokens, batchTokens, threads, signal } = options;
  try {
    return await model.createContext({
      sequences: slots,
      contextSize: contextTokens,
      batchSize: batchTokens,
      threads,
      createSignal: signal,
      // A smaller context than the one that was asked for would be a silent change.
      failedCreationRemedy: false,
    });
  } catch (cause) {
    signal.throwIfAborted();
    const wanted = `${slots} × ${contextTokens} tokens of context`;
    throw new Failure('insufficient_memory', `There is no room for ${wanted}: ${textOf(cause)}`, { cause });
  }
}

async function checkMagic(path: string): Promise<void> {
  const magic = await readStart(path, 4);
  if (magic.toString('latin1') === 'GGUF') return;
  const found = magic.length === 0 ? 'is empty' : `begins with ${JSON.stringify(magic.toString('latin1'))}`;
  throw new Failure('invalid_model_file', `${path} is no GGUF file: it ${found}.`);
}

async function readStart(path: string, bytes: number): Promise<Buffer> {
  try {
    await using file = await open(path);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(bytes), 0, bytes, 0);
    return buffer.subarray(0, bytesRead);
  } catch (cause) {
    throw new Failure('model_load_failed', `${path} can't be read: ${textOf(cause)}`, { cause });
  }
}

function textOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
