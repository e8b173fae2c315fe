import type { LlamaContextSequence, Token } from 'node-llama-cpp';

/** The state of a system prompt, saved in a file so that no start prefills it again. */
export type SavedPrompts = {
  /** The longest saved one that this prompt starts with. */
  find(prompt: readonly Token[]): SavedPrompt | undefined;
};

export type SavedPrompt = {
  tokens: number;
  /** Loads it into a sequence; if the file is unusable, the sequence is left empty. */
  load(sequence: LlamaContextSequence): Promise<void>;
};

/** Used by node-llama-cpp internally and missing from its types. */
type Copying = {
  _copyStateFromOtherSequence?: (source: LlamaContextSequence, tokens: number) => Promise<boolean>;
};

/** Fewer tokens can be prefilled as quickly as copied. */
export const COPY_TOKENS_MIN = 32;
/** llama.cpp copies a sequence's whole cache, used or not, which takes about as long as prefilling this share of it. */
const CONTEXT_SHARE = 1 / 128;

/** The cost of a copy, in tokens that could be prefilled instead; infinite if this model cannot be copied. */
export function copyTokensOf(sequence: LlamaContextSequence): number {
  const canCopy = typeof (sequence as unknown as Copying)._copyStateFromOtherSequence === 'function';
  // Models that cannot remove single tokens cannot reuse part of another sequence.
  if (!canCopy || sequence.needsCheckpoints) return Infinity;
  return Math.max(COPY_TOKENS_MIN, Math.round(sequence.contextSize * CONTEXT_SHARE));
}

/** Copies the first tokens of another sequence; if that fails, this one is left empty. */
export async function copyPrefix(
  target: LlamaContextSequence,
  source: LlamaContextSequence,
  tokens: number,
): Promise<void> {
  const copying = (target as unknown as Required<Copying>)._copyStateFromOtherSequence(source, tokens);
  const isDone = await copying.catch(() => false);
  if (!isDone) await target.clearHistory();
}
