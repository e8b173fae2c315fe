import type {
  ControlledEvaluateInputItem,
  LlamaContextSequence,
  LlamaModel,
  SequenceEvaluateOptions,
  Token,
  TokenBias,
} from 'node-llama-cpp';
import { createRandom, sampleToken, type Likelihood } from './sample-token.ts';
import { createNativeSampler, decode } from './native-sampler.ts';
import { CANDIDATES, penalties, samplingOptions, seedOf, type SamplingContext } from './sampling.ts';

export type { Likelihood };
export type Sampled = {
  token: Token;
  /** Its log probability and the top alternatives, if requested. */
  logprob?: number;
  top?: readonly Likelihood[];
};

/**
 * Called with each token as it is generated, and with undefined at the end of the turn; returns whether to continue.
 */
export type Take = (sampled: Sampled | undefined) => Promise<boolean>;

export type TokenSource = {
  /**
   * Evaluates the tokens and samples the next one; then verifies the draft and accepts the tokens that the model
   * would have sampled anyway, plus the one after them. Each is sampled as if nothing had been drafted. The sequence
   * then holds everything that was emitted except the last token. Resolves to the number of accepted draft tokens.
   */
  next(tokens: readonly Token[], draft: readonly Token[], take: Take): Promise<number>;
  /** Samples at this place of a decode that another part of the engine runs; undefined at the end of the turn. */
  sampleAt?: (place: number) => Promise<Sampled | undefined>;
  close(): void;
};

export type SourceOptions = SamplingContext & {
  model: LlamaModel;
  sequence: LlamaContextSequence;
};

/** The native sampler, which also applies the grammar. */
export function createNativeSource(context: SourceOptions): TokenSource {
  const { model, sequence } = context;
  const sampler = createNativeSampler(sequence, model);
  const options = samplingOptions(context);

  async function sampleAt(place: number): Promise<Sampled | undefined> {
    const token = await sampler.sample(place, options);
    return token === undefined || model.isEogToken(token) ? undefined : { token };
  }

  return {
    sampleAt,
    async next(tokens, draft, take) {
      const first = tokens.length - 1;
      let right = 0;
      const decoded = decode(sequence, [...tokens, ...draft], first, async (place, index) => {
        const sampled = await sampleAt(place);
        const isDrafted = sampled?.token === draft[index - first];
        if (!(await take(sampled)) || !sampled || !isDrafted) return false;
        right++;
        return true;
      });
      // By then the decode runs in another thread.
      setImmediate(sampler.prepare);
      await decoded;
      await forget(sequence, draft.length - right);
      return right;
    },
    close: () => sampler.dispose(),
  };
}

export type ScoredOptions = SourceOptions & { top: number };

/**
 * The native sampler only returns probabilities after truncation and scaling. If log probabilities are requested, the
 * raw logits are read and the token is sampled here.
 */
export function createScoredSource(context: ScoredOptions): TokenSource {
  const { model, sequence } = context;
  const random = createRandom(seedOf(context));
  const topK = context.sampling.topK ?? CANDIDATES;
  const candidates = topK > 0 ? topK : (context.model.fileInfo.metadata.tokenizer?.ggml?.tokens?.length ?? 0);
  const includeTop = Math.max(candidates, context.top);
  /** The penalties at a position count the draft tokens before it, since it is only reached if those were accepted. */
  const scoreAfter = (drafted: readonly Token[]) => {
    const generated = () => [...context.generated(), ...drafted];
    const options = { temperature: 0, ...biasOf(context.bias()), ...penalties({ ...context, generated }) };
    return { logits: { filter: { tokens: [], includeTop } }, totalLogitWeight: true, options };
  };
  const drawFrom = ({ logits, totalLogitWeight = 1 }: Scores) => {
    const all = logits ?? new Map<Token, number>();
    const normaliser = Math.max(...all.values()) + Math.log(totalLogitWeight);
    const scored = [...all].map(([token, logit]) => ({ token, logprob: logit - normaliser }));
    const likeliest = scored.toSorted((a, b) => b.logprob - a.logprob);
    const drawn = sampleToken(likeliest.slice(0, candidates), context.sampling, random);
    return { ...drawn, top: likeliest.slice(0, context.top) };
  };
  return {
    async next(tokens, draft, take) {
      const last = tokens.at(-1);
      if (last === undefined) throw new Error('Nothing is to be evaluated');
      const scored = [last, ...draft].map((token, count): ControlledEvaluateInputItem => {
        return [token, { generateNext: scoreAfter(draft.slice(0, count)) }];
      });
      const before = tokens.slice(0, -1);
      const results = await sequence.controlledEvaluate([...before, ...scored]);
      let right = 0;
      for (const result of results.slice(before.length)) {
        const sampled = drawFrom(result?.next ?? {});
        const isEnd = model.isEogToken(sampled.token);
        if (!(await take(isEnd ? undefined : sampled)) || isEnd || sampled.token !== draft[right]) break;
        right++;
      }
      await forget(sequence, draft.length - right);
      return right;
    },
    close: () => {},
  };
}

type Scores = { logits?: Map<Token, number>; totalLogitWeight?: number };

/** Rejected draft tokens are removed from the sequence. */
async function forget(sequence: LlamaContextSequence, count: number): Promise<void> {
  const end = sequence.nextTokenIndex;
  if (count > 0) await sequence.eraseContextTokenRanges([{ start: end - count, end }]);
}

function biasOf(tokenBias: TokenBias): Pick<SequenceEvaluateOptions, 'tokenBias'> {
  return { tokenBias };
}
