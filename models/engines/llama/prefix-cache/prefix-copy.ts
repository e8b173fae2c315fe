import type { LlamaContextSequence, Token } from 'node-llama-cpp';

/** What the model made of a system prompt, kept in a file so that no start reads it again. */
export type SavedPrompts = {
  /** The longest that this prompt begins with. */
  find(prompt: readonly Token[]): SavedPrompt | undefined;
};

export type SavedPrompt = {
  tokens: number;
  /** Makes a sequence hold it; where its file is of no use, the sequence holds nothing. */
  load(sequence: LlamaContextSequence): Promise<void>;
};

/** What node-llama-cpp uses for its own decisions, and does not show in its types. */
type Copying = {
  _copyStateFromOtherSequence?: (source: LlamaContextSequence, tokens: number) => Promise<boolean>;
};

/** Fewer are read as fast as they are found elsewhere. */
export const COPY_TOKENS_MIN = 32;
/** llama.cpp copies the whole of a sequence's cache, used or not; that takes about as long as reading so much of it. */
const CONTEXT_SHARE = 1 / 128;

/** What a copy costs, in tokens that could be read instead; infinite where this model can not be copied. */
export function copyTokensOf(sequence: LlamaContextSequence): number {
  const canCopy = typeof (sequence as unknown as Copying)._copyStateFromOtherSequence === 'function';
  // Models that can not forget a single token can not take over a part of what another sequence holds.
  if (!canCopy || sequence.needsCheckpoints) return Infinity;
  return Math.max(COPY_TOKENS_MIN, Math.round(sequence.contextSize * CONTEXT_SHARE));
}

/** Makes a sequence hold the first tokens of another one; where that fails, it holds nothing. */
export async function copyPrefix(
  target: LlamaContextSequence,
  source: LlamaContextSequence,
  tokens: number,
): Promise<void> {
  const copying = (target as unknown as Required<Copying>)._copyStateFromOtherSequence(source, tokens);
  const isDone = await copying.catch(() => false);
  if (!isDone) await target.clearHistory();
}
