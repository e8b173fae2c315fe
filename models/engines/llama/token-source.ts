import type { LlamaContextSequence, SequenceEvaluateOptions, Token, TokenBias } from 'node-llama-cpp';
import { CANDIDATES, penalties, samplingOptions, seedOf, type SamplingContext } from './sampling.ts';

export type Likelihood = { token: Token; logprob: number };
export type Sampled = {
  token: Token;
  /** How likely it was, and the likeliest in its place; where that is asked for. */
  logprob?: number;
  top?: readonly Likelihood[];
};

export type TokenSource = {
  /** Evaluates these and gives the token after them; undefined when the model ends its turn. */
  next(tokens: readonly Token[]): Promise<Sampled | undefined>;
  close(): Promise<void>;
};

/** The native sampler, which also keeps to a grammar. */
export function createNativeSource(sequence: LlamaContextSequence, context: SamplingContext): TokenSource {
  let stream: AsyncGenerator<{ token: Token }, void, void | Token | Token[]> | undefined;
  return {
    async next(tokens) {
      if (stream) return (await stream.next([...tokens])).value ?? undefined;
      stream = sequence.evaluateWithMetadata([...tokens], {}, samplingOptions(context));
      return (await stream.next()).value ?? undefined;
    },
    async close() {
      await stream?.return();
    },
  };
}

export type ScoredOptions = SamplingContext & { top: number; isEnd: (token: Token) => boolean };

/**
 * The native sampler gives likelihoods only after it has cut and scaled them. So where they are asked for, they are read
 * as the model gave them, and the token is drawn here.
 */
export function createScoredSource(sequence: LlamaContextSequence, context: ScoredOptions): TokenSource {
  const random = createRandom(seedOf(context));
  const includeTop = Math.max(CANDIDATES, context.top);
  return {
    async next(tokens) {
      const last = tokens.at(-1);
      if (last === undefined) throw new Error('Nothing is to be evaluated');
      const generateNext = {
        logits: { filter: { tokens: [], includeTop } },
        totalLogitWeight: true,
        options: { temperature: 0, ...biasOf(context.bias()), ...penalties(context) },
      };
      const results = await sequence.controlledEvaluate([...tokens.slice(0, -1), [last, { generateNext }]]);
      const { logits = new Map<Token, number>(), totalLogitWeight = 1 } = results.at(-1)?.next ?? {};
      const greatest = Math.max(...logits.values());
      const normaliser = greatest + Math.log(totalLogitWeight);
      const scored = [...logits].map(([token, logit]) => ({ token, logprob: logit - normaliser }));
      const likeliest = scored.toSorted((a, b) => b.logprob - a.logprob);
      const drawn = draw(likeliest.slice(0, CANDIDATES), context.sampling, random);
      if (context.isEnd(drawn.token)) return undefined;
      return { ...drawn, top: likeliest.slice(0, context.top) };
    },
    close: () => Promise.resolve(),
  };
}

function biasOf(tokenBias: TokenBias): Pick<SequenceEvaluateOptions, 'tokenBias'> {
  return { tokenBias };
}

/** As the native sampler does it: first the nucleus, then the temperature. */
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
  const within = nucleus.length > 0 ? nucleus : [first];
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
