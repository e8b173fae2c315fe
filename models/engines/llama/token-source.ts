import type {
  ControlledEvaluateInputItem,
  LlamaContextSequence,
  LlamaModel,
  SequenceEvaluateOptions,
  Token,
  TokenBias,
} from 'node-llama-cpp';
import { createNativeSampler, decode } from './native-sampler.ts';
import { CANDIDATES, penalties, samplingOptions, seedOf, type SamplingContext } from './sampling.ts';

export type Likelihood = { token: Token; logprob: number };
export type Sampled = {
  token: Token;
  /** How likely it was, and the likeliest in its place; where that is asked for. */
  logprob?: number;
  top?: readonly Likelihood[];
};

/** Gets each token as it is generated, nothing where the model ends its turn, and says whether to go on behind it. */
export type Take = (sampled: Sampled | undefined) => Promise<boolean>;

export type TokenSource = {
  /**
   * Evaluates the tokens and gives the one after them; and, of the draft, all that turn out to be what the model says
   * anyway, with the one after those. Each is chosen as if nothing had been drafted. The sequence is left holding
   * what was given, but for the last. Tells how much of the draft was right.
   */
  next(tokens: readonly Token[], draft: readonly Token[], take: Take): Promise<number>;
  close(): void;
};

export type SourceOptions = SamplingContext & {
  model: LlamaModel;
  sequence: LlamaContextSequence;
};

/** The native sampler, which also keeps to a grammar. */
export function createNativeSource(context: SourceOptions): TokenSource {
  const { model, sequence } = context;
  const sampler = createNativeSampler(sequence, model);
  const options = samplingOptions(context);
  return {
    async next(tokens, draft, take) {
      const first = tokens.length - 1;
      let right = 0;
      await decode(sequence, [...tokens, ...draft], first, async (place, index) => {
        const token = await sampler.sample(place, options);
        const isEnd = token === undefined || model.isEogToken(token);
        const isDrafted = token === draft[index - first];
        if (!(await take(isEnd ? undefined : { token })) || isEnd || !isDrafted) return false;
        right++;
        return true;
      });
      await forget(sequence, draft.length - right);
      return right;
    },
    close: () => sampler.dispose(),
  };
}

export type ScoredOptions = SourceOptions & { top: number };

/**
 * The native sampler gives likelihoods only after it has cut and scaled them. So where they are asked for, they are read
 * as the model gave them, and the token is drawn here.
 */
export function createScoredSource(context: ScoredOptions): TokenSource {
  const { model, sequence } = context;
  const random = createRandom(seedOf(context));
  const { topK = CANDIDATES } = context.sampling;
  const includeTop = Math.max(topK, context.top);
  /** The penalties at a place count what is drafted before it, since it is looked at only where that was right. */
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
    const drawn = draw(likeliest.slice(0, topK), context.sampling, random);
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

/** What was drafted wrong must not stay. */
async function forget(sequence: LlamaContextSequence, count: number): Promise<void> {
  const end = sequence.nextTokenIndex;
  if (count > 0) await sequence.eraseContextTokenRanges([{ start: end - count, end }]);
}

function biasOf(tokenBias: TokenBias): Pick<SequenceEvaluateOptions, 'tokenBias'> {
  return { tokenBias };
}

/**
 * As the native sampler does it: first the nucleus, then the temperature. But drawn in the order of the tokens: that of
 * two that are as good as equally likely depends on what else is evaluated with them.
 */
function draw(
  candidates: readonly Likelihood[],
  { temperature, topP }: SamplingContext['sampling'],
  random: () => number,
): Likelihood {
  const [first] = candidates;
  if (!first) throw new Error('The model gave no likelihoods');
  if (temperature === 0) return first;
  const all = candidates.reduce((sum, { logprob }) => sum + Math.exp(logprob), 0);
  const nucleus: Likelihood[] = [];
  for (let share = 0, place = 0; place < candidates.length && share < topP; place++) {
    const candidate = candidates[place] ?? first;
    nucleus.push(candidate);
    share += Math.exp(candidate.logprob) / all;
  }
  const within = nucleus.length > 0 ? nucleus.sort((a, b) => a.token - b.token) : [first];
  const weights = within.map(({ logprob }) => Math.exp((logprob - first.logprob) / temperature));
  let left = random() * weights.reduce((sum, weight) => sum + weight, 0);
  const place = weights.findIndex((weight) => (left -= weight) < 0);
  return within[place] ?? within.at(-1) ?? first;
}

/** Numbers from 0 to 1, the same for the same seed. */
function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
