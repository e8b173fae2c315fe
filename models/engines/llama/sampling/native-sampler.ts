import type { LlamaContextSequence, LlamaModel, SequenceEvaluateOptions, Token } from 'node-llama-cpp';

/** Samples the token at one position of a native decode. Its random state continues from token to token. */
export type NativeSampler = {
  sample(place: number, options: SequenceEvaluateOptions): Promise<Token | undefined>;
  /** What is slow about the first sample, and can be done while the model works on the prompt. */
  prepare: () => void;
  dispose(): void;
};

type Sampler = { applyConfig(config: object): void; dispose(): void };

/** Used by node-llama-cpp to sample and missing from its types. Its version is pinned, and a test checks this. */
type Inside = {
  _context: { _ctx: { sampleToken(place: number, sampler: Sampler): Promise<number | null> } };
  _resolveSamplerConfig(options: SequenceEvaluateOptions): object;
  _contextShift: object;
  _decodeTokens(
    tokens: readonly Token[],
    wanted: readonly boolean[],
    priority: number,
    meter: object,
    contextShift: object,
    map: (place: number, index: number) => Promise<void>,
    afterBatch: (stateLength: number) => unknown,
  ): Promise<unknown>;
  _takeIntervalCheckpointIfNeededAfterBatch(stateLength: number): unknown;
};
type ModelInside = {
  _model: object;
  _llama: { _bindings: { AddonSampler: new (model: object) => Sampler } };
};

const PRIORITY = 5;

export function createNativeSampler(sequence: LlamaContextSequence, model: LlamaModel): NativeSampler {
  const inside = sequence as unknown as Inside;
  const { _model, _llama } = model as unknown as ModelInside;
  let sampler: Sampler | undefined;
  let isDisposed = false;
  let configured: Changing | undefined;

  /** Takes longer the larger the vocabulary is. */
  function open(): Sampler {
    return (sampler ??= new _llama._bindings.AddonSampler(_model));
  }

  /** Only if something has changed: every moment between two decodes counts. */
  function configure(options: SequenceEvaluateOptions): void {
    const changing = changingOf(options);
    if (configured && changing && changing.every((one, index) => one === configured?.[index])) return;
    open().applyConfig(inside._resolveSamplerConfig(options));
    configured = changing;
  }

  return {
    async sample(place, options) {
      configure(options);
      const token = await inside._context._ctx.sampleToken(place, open());
      if (token === -1) throw new Error('llama.cpp chose no token');
      return token === null || token === undefined ? undefined : (token as Token);
    },
    prepare: () => {
      if (!isDisposed) open();
    },
    dispose() {
      isDisposed = true;
      sampler?.dispose();
    },
  };
}

/** What may differ from token to token; undefined if every token changes it. */
type Changing = readonly unknown[];

function changingOf({
  repeatPenalty,
  grammarEvaluationState: grammar,
  tokenBias: bias,
}: SequenceEvaluateOptions): Changing | undefined {
  if (repeatPenalty) return undefined;
  return [grammar, bias].map((one) => (one instanceof Function ? one() : one));
}

/**
 * Evaluates tokens in one native decode and samples at the positions from `first` on, one after another, until `look`
 * returns true. The sequence then holds all of the tokens.
 */
export async function decode(
  sequence: LlamaContextSequence,
  tokens: readonly Token[],
  first: number,
  look: (place: number, index: number) => Promise<boolean>,
): Promise<void> {
  const inside = sequence as unknown as Inside;
  let failure: { error: unknown } | undefined;
  let isEnough = false;
  const map = async (place: number, index: number) => {
    if (isEnough) return;
    try {
      isEnough = !(await look(place, index));
    } catch (error) {
      // Throwing inside the callback would leave the decode without an end.
      isEnough = true;
      failure = { error };
    }
  };
  await inside._decodeTokens(
    tokens,
    tokens.map((_, index) => index >= first),
    PRIORITY,
    sequence.tokenMeter,
    inside._contextShift,
    map,
    (length) => inside._takeIntervalCheckpointIfNeededAfterBatch(length),
  );
  if (failure) throw failure.error;
}
