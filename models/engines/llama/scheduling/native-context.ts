import type { LlamaContext } from 'node-llama-cpp';

/** What node-llama-cpp's own decode uses and its types lack. Its version is pinned, and tests check this. */
export type NativeContext = {
  setThreads(threads: number): void;
  initBatch(tokens: number): void;
  addToBatch(sequence: number, at: number, tokens: Uint32Array, sampledAt: Uint32Array): Uint32Array;
  decodeBatch(): Promise<void>;
  disposeSequence(sequence: number): void;
  /** Only in builds by `askd engines build`. */
  getSequenceEmbedding?(tokens: number, dimensionsMax: number, sequence: number): Float64Array;
};

export function nativeContextOf(context: LlamaContext): NativeContext {
  return (context as unknown as { _ctx: NativeContext })._ctx;
}

/** The next decode takes this many threads, or as many as the governor allows. */
export function setThreads(context: LlamaContext, threads: number): void {
  const { maxThreads } = context.model.llama;
  nativeContextOf(context).setThreads(maxThreads === 0 ? threads : Math.min(threads, maxThreads));
}
