import type { ModelManifest } from '../runtime/manifest.ts';

/** The memory of a runner besides the weights and the context. */
const OVERHEAD_BYTES = 300e6;
const CONTEXT_TOKENS = 8192;

/** Weights and one typical context. The runner's own measurement replaces this once the model is loaded. */
export function memoryOf({ bytes, memory, contextTokensMax }: ModelManifest): number {
  const tokens = Math.min(CONTEXT_TOKENS, contextTokensMax);
  return bytes + (memory?.kvBytesPerToken ?? 0) * tokens + OVERHEAD_BYTES;
}
