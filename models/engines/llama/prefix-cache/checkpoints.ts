import type { LlamaContextSequence, Token } from 'node-llama-cpp';
import type { EndReason } from '../../../../src/runtime/engine.ts';
import type { Generation } from '../generation/generation.ts';

/** So many tokens before the end of a prompt a next turn still begins the same, whatever the template adds for an answer. */
const MARK_TOKENS = 16;

/** Some models can not go back to where another turn begins, but for a place that was marked when they were there. */
export async function advanceMarked(
  sequence: LlamaContextSequence,
  generation: Generation,
  { promptTokensMax, draft }: { promptTokensMax: number; draft: readonly Token[] },
): Promise<EndReason | undefined> {
  const marked = untilMark(sequence, generation.promptTokensLeft());
  if (marked === undefined) return generation.advance(promptTokensMax, draft);
  const reason = await generation.advance(Math.min(promptTokensMax, marked));
  if (generation.promptTokensLeft() === MARK_TOKENS) await sequence.takeCheckpoint();
  return reason;
}

/** How many tokens lie before the mark, where there is to be one. */
export function untilMark(sequence: LlamaContextSequence, promptTokens: number): number | undefined {
  const tokens = promptTokens - MARK_TOKENS;
  return sequence.needsCheckpoints && tokens > 0 ? tokens : undefined;
}
