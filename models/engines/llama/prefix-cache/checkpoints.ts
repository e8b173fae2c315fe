import type { LlamaContextSequence, Token } from 'node-llama-cpp';
import type { EndReason } from '../../../../src/runtime/engine.ts';
import type { Generation } from '../generation/generation.ts';

/**
 * Up to this many tokens before the end of a prompt, the next turn is still the same, whatever the template adds for
 * an answer.
 */
export const CHECKPOINT_TOKENS = 16;

/** Recurrent and sliding-window models cannot go back to an earlier position unless a checkpoint was taken there. */
export async function advanceWithCheckpoint(
  sequence: LlamaContextSequence,
  generation: Generation,
  { promptTokensMax, draft }: { promptTokensMax: number; draft: readonly Token[] },
): Promise<EndReason | undefined> {
  const checkpoint = untilCheckpoint(sequence, generation.promptTokensLeft());
  if (checkpoint === undefined) return generation.advance(promptTokensMax, draft);
  const reason = await generation.advance(Math.min(promptTokensMax, checkpoint));
  if (generation.promptTokensLeft() === CHECKPOINT_TOKENS) await sequence.takeCheckpoint();
  return reason;
}

/** Tokens before the checkpoint, if one is to be taken. */
export function untilCheckpoint(sequence: LlamaContextSequence, promptTokens: number): number | undefined {
  const tokens = promptTokens - CHECKPOINT_TOKENS;
  return sequence.needsCheckpoints && tokens > 0 ? tokens : undefined;
}

/** How many of the tokens that it shares with a prompt the sequence can go back to. */
export function reachableTokens(sequence: LlamaContextSequence, shared: number): number {
  const isRewound = sequence.needsCheckpoints && shared > 0 && shared < sequence.nextTokenIndex;
  return isRewound ? shared - sequence.getRestoreToPrefixIndexEvaluationSize(shared - 1) : shared;
}
