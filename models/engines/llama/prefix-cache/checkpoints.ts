import type { LlamaContextSequence, Token } from 'node-llama-cpp';
import type { EndReason } from '../../../../src/runtime/engine.ts';
import type { Generation } from '../generation/generation.ts';

/** So many tokens before the end of a prompt a next turn still begins the same, whatever the template adds for an answer. */
const CHECKPOINT_TOKENS = 16;

/** Some models can not go back to where another turn begins, but for a place that was marked when they were there. */
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

/** How many tokens lie before the mark, where there is to be one. */
export function untilCheckpoint(sequence: LlamaContextSequence, promptTokens: number): number | undefined {
  const tokens = promptTokens - CHECKPOINT_TOKENS;
  return sequence.needsCheckpoints && tokens > 0 ? tokens : undefined;
}
