import { Failure } from '../../src/base/errors.ts';
import type { Engine, LoadOptions, Session, SessionDescription } from '../../src/runtime/engine.ts';
import type { ModelManifest } from '../../src/runtime/manifest.ts';
import { guardMethods } from './guard.ts';
import { openClassifier } from './onnx/classifier.ts';
import { openOnnxEmbedder, type OnnxParts } from './onnx/embedder.ts';
import { defaultThreads, openFolder } from './onnx/folder.ts';
import { openLibrary } from './onnx/library.ts';
import { openOnnxRanker } from './onnx/ranker.ts';
import { openSynthesizer } from './onnx/synthesizer.ts';
import { openTranscriber } from './onnx/transcriber.ts';
import { openTranslator } from './onnx/translator.ts';
import { createScoreMethods } from './scores.ts';
import { createFairQueue, type FairQueue } from './fair-queue.ts';
import { createVectorMethods } from './vectors.ts';

/**
 * Models in folders of ONNX files, by ONNX Runtime. Inference blocks this whole process and cannot be interrupted, so
 * everything is split into items, and an abort takes effect between two of them.
 */
export const onnx: Engine = { name: 'onnx', load };

async function load(manifest: ModelManifest, options: LoadOptions, signal: AbortSignal): Promise<Session> {
  signal.throwIfAborted();
  const folder = openFolder(manifest.path);
  const library = await openLibrary();
  options.onProgress?.(LIBRARY_SHARE_OF_LOAD);
  signal.throwIfAborted();
  const contextTokens = Math.min(options.contextTokens, manifest.contextTokensMax);
  const threads = options.threads ?? defaultThreads();
  const turns = createFairQueue();
  const methods = await openMethods(manifest, { library, folder, contextTokens, threads }, turns);
  signal.throwIfAborted();
  options.onProgress?.(1);
  const description: SessionDescription = { slots: options.slots, contextTokens, threads, device: 'cpu' };
  let closing: Promise<void> | undefined;
  return {
    description,
    ...guardMethods(methods, () => closing === undefined),
    [Symbol.asyncDispose]() {
      closing ??= turns.close();
      return closing;
    },
  };
}

const LIBRARY_SHARE_OF_LOAD = 0.3;

async function openMethods(
  { tasks, embedding, path }: ModelManifest,
  parts: OnnxParts,
  turns: FairQueue,
): Promise<Partial<Session>> {
  try {
    if (tasks.includes('embed')) {
      return createVectorMethods(await openOnnxEmbedder(parts, embedding?.pooling), turns);
    }
    if (tasks.includes('rerank')) return createScoreMethods(await openOnnxRanker(parts), turns);
    if (tasks.includes('moderate')) return await openClassifier(parts, turns);
    if (tasks.includes('translate')) return await openTranslator(parts, turns);
    if (tasks.includes('speak')) return await openSynthesizer(parts);
    if (tasks.includes('transcribe')) return await openTranscriber(parts);
  } catch (cause) {
    if (cause instanceof Failure) throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Failure('invalid_model_file', `${path} cannot be loaded: ${reason}`, { cause });
  }
  throw new Failure('invalid_model_file', `${path}: this engine does not support ${tasks.join(', ')}.`);
}
