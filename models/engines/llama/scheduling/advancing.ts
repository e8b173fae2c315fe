import type { Token } from 'node-llama-cpp';
import type { EndReason } from '../../../../src/runtime/engine.ts';
import type { Generation } from '../generation/generation.ts';
import { advanceWithCheckpoint, untilCheckpoint } from '../prefix-cache/checkpoints.ts';
import type { OneTokenDecode } from './one-token-decode.ts';
import type { Job, Slot } from './slot.ts';
import type { StepsOptions } from './steps.ts';

export type AdvancingOptions = {
  oneTokenDecode: OneTokenDecode | undefined;
  isAborted: (job: Job) => boolean;
  /** The content of the slot's sequence is unknown after an error. */
  forget: (slot: Slot) => Promise<void>;
  leave: (slot: Slot) => void;
};

/** What one step does for the requests of slots, and how a request ends in it. */
export function createAdvancing(
  options: AdvancingOptions,
): Pick<StepsOptions, 'promptTokensOf' | 'advance' | 'advanceTogether'> {
  const { oneTokenDecode, isAborted, forget, leave } = options;

  /** Before it takes a checkpoint, if there is one to take. */
  function promptTokensOf({ job, sequence }: Slot): number {
    if (!job?.generation || isAborted(job)) return 0;
    const left = job.generation.promptTokensLeft();
    return untilCheckpoint(sequence, left) ?? left;
  }

  function advance(slot: Slot, promptTokensMax: number, draft: readonly Token[] = []): Promise<void> {
    return run(slot, (generation) =>
      advanceWithCheckpoint(slot.sequence, generation, { promptTokensMax, draft }),
    );
  }

  function advanceTogether(decoding: readonly Slot[]): Promise<unknown> | undefined {
    const parts = decoding.flatMap(({ job, sequence }) => {
      const next = job && !isAborted(job) ? job.generation?.oneToken?.() : undefined;
      return next ? [{ sequence, ...next }] : [];
    });
    if (!oneTokenDecode || parts.length === 0 || parts.length < decoding.length) return undefined;
    const sampled = oneTokenDecode(parts);
    return Promise.all(
      decoding.map((slot, index) => run(slot, async () => parts[index]?.accept(await sampled[index]))),
    );
  }

  async function run(
    slot: Slot,
    step: (generation: Generation) => Promise<EndReason | undefined>,
  ): Promise<void> {
    const { job } = slot;
    if (!job?.generation) return;
    const { work, generation } = job;
    try {
      const reason = isAborted(job) ? 'abort' : await step(generation);
      const end = isAborted(job) ? 'abort' : reason;
      if (!end) return;
      generation.close();
      work.end(end, generation.completionTokens());
    } catch (error) {
      work.fail(error);
      await forget(slot);
    }
    leave(slot);
  }

  return { promptTokensOf, advance, advanceTogether };
}
