import type { LlamaContext, LlamaContextSequence, Token } from 'node-llama-cpp';
import type { Sampled } from '../sampling/token-source.ts';
import { nativeContextOf, setThreads } from './native-context.ts';

/** One sequence's part in a decode: a token to evaluate, and how to sample the one after it. */
export type OneToken = {
  sequence: LlamaContextSequence;
  token: Token;
  /** At this place of the decode; undefined at the end of the turn. */
  sample: (place: number) => Promise<Sampled | undefined>;
};

/** Each settles when nothing native is running for it any more. */
export type OneTokenDecode = (parts: readonly OneToken[]) => readonly Promise<Sampled | undefined>[];

/** Missing from node-llama-cpp's types, too. */
type SequenceInside = {
  _sequenceId: number;
  _nextTokenIndex: number;
  _contextTokens: Token[];
  _takeIntervalCheckpointIfNeededAfterBatch(stateLength: number): unknown;
};

const FIRST = Uint32Array.of(0);

export type OneTokenDecodeOptions = { context: LlamaContext; threads: number; poolThreads: number };

/**
 * Decodes one token of each sequence, with less between two decodes than node-llama-cpp's queue needs. A pool of one
 * thread samples right after the decode: this thread need not wake up in between. Undefined where node-llama-cpp has
 * to keep the decodes of two contexts apart.
 */
export function createOneTokenDecode(options: OneTokenDecodeOptions): OneTokenDecode | undefined {
  const { context, threads, poolThreads } = options;
  if (context.model.llama.gpu === 'vulkan') return undefined;
  const native = nativeContextOf(context);

  return (parts) => {
    setThreads(context, threads);
    native.initBatch(parts.length);
    const places = parts.map((part) => addToBatch(part));
    const decoded = native.decodeBatch().then(() => parts.forEach(noteDecoded));
    return parts.map(async (part, index) => {
      if (poolThreads !== 1) await decoded;
      const sampled = part.sample(places[index] ?? 0);
      await Promise.allSettled([sampled]);
      // A sample of a decode that failed means nothing.
      await decoded;
      if (part.sequence.needsCheckpoints) await takeCheckpoint(part.sequence);
      return sampled;
    });
  };

  function addToBatch({ sequence, token }: OneToken): number {
    const { _sequenceId: id, _nextTokenIndex: at } = sequence as unknown as SequenceInside;
    return native.addToBatch(id, at, Uint32Array.of(token), FIRST)[0] ?? 0;
  }
}

function noteDecoded({ sequence, token }: OneToken): void {
  const inside = sequence as unknown as SequenceInside;
  inside._contextTokens.push(token);
  inside._nextTokenIndex += 1;
}

async function takeCheckpoint(sequence: LlamaContextSequence): Promise<void> {
  const inside = sequence as unknown as SequenceInside;
  await inside._takeIntervalCheckpointIfNeededAfterBatch(inside._nextTokenIndex + 1);
}
