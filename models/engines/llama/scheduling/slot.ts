import type { LlamaContextSequence, Token } from 'node-llama-cpp';
import type { EndReason } from '../../../../src/runtime/engine.ts';
import type { Generation } from '../generation/generation.ts';

/** A request as the scheduler sees it. Exactly one of `end` and `fail` is called, once. */
export type Work = {
  prompt: readonly Token[];
  /** Its prefix is only shared with requests that have the same salt. */
  cacheSalt?: string | undefined;
  /** Nobody is waiting for it. */
  isInBackground?: boolean | undefined;
  signal: AbortSignal;
  begin(sequence: LlamaContextSequence, cachedTokens: number): Generation;
  /** Announces that this many tokens come now, and then none for this many milliseconds. */
  pacing?: (ms: number, tokens: number) => void;
  end(reason: EndReason, completionTokens: number): void;
  fail(error: unknown): void;
};

/** A sequence, what it holds, and the request that it serves. */
export type Slot = {
  sequence: LlamaContextSequence;
  /** Whose conversation the sequence holds, and how many of its tokens were the prompt. */
  content: { salt: string | undefined; promptTokens: number } | undefined;
  lastUse: number;
  job: Job | undefined;
};
export type Waiting = { work: Work; done: () => void; arrivedAtMs: number };

/** Before it starts, it may wait for another request to prefill their shared prefix. */
export type Job = Waiting & {
  generation: Generation | undefined;
  waitsForPrefix: boolean;
  /** When it got its first token. */
  decodingSinceMs: number | undefined;
};

/** A request that nobody is waiting for pauses while another is being answered, so that it takes no time from it. */
export function standsStill({ job }: Slot, slots: readonly Slot[]): boolean {
  if (!job?.work.isInBackground || job.work.signal.aborted) return false;
  return slots.some(({ job: other }) => other?.generation !== undefined && !other.work.isInBackground);
}
