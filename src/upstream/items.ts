import { Failure } from '../base/errors.ts';
import { forCategories } from '../base/moderation-categories.ts';
import type {
  ClassifyRequest,
  EmbedRequest,
  ItemEvent,
  LabelScores,
  RerankRequest,
  TokenInput,
} from '../runtime/engine.ts';
import { answerTo } from './answer.ts';
import type { Send } from './send.ts';

/** For the credits held in advance: fewer bytes per token than texts in any language have. */
const BYTES_PER_TOKEN = 2;

export function createEmbed(send: Send, model: string) {
  return async function* embed(
    { inputs, dimensions }: EmbedRequest,
    signal: AbortSignal,
  ): AsyncGenerator<ItemEvent<Float32Array>> {
    yield { type: 'prompt', promptTokens: sum(inputs.map(estimate)) };
    const body = {
      model,
      input: inputs,
      encoding_format: 'float',
      ...(dimensions !== undefined && { dimensions }),
    };
    const answer = await answerTo(send, { path: '/embeddings', body, signal });
    if (!answer) return;
    const { data, usage } = answer as EmbeddingsAnswer;
    checkIndexes(data, inputs.length);
    const counts = share(usage, inputs.map(estimate));
    for (const { index, embedding } of data) {
      yield { type: 'item', index, promptTokens: counts[index] ?? 0, result: Float32Array.from(embedding) };
    }
  };
}

type EmbeddingsAnswer = {
  data: { index: number; embedding: number[] }[];
  usage?: { prompt_tokens?: number };
};

export function createRerank(send: Send, model: string) {
  return async function* rerank(
    { query, documents, maxTokensPerDocument: most }: RerankRequest,
    signal: AbortSignal,
  ): AsyncGenerator<ItemEvent<number>> {
    const estimates = documents.map((document) => estimate(document) + estimate(query));
    yield { type: 'prompt', promptTokens: sum(estimates) };
    const body = { model, query, documents, ...(most !== undefined && { max_tokens_per_doc: most }) };
    const answer = await answerTo(send, { path: '/rerank', body, signal });
    if (!answer) return;
    const { results, usage } = answer as RerankAnswer;
    checkIndexes(results, documents.length);
    const counts = share(usage, estimates);
    for (const { index, relevance_score: score } of results) {
      yield { type: 'item', index, promptTokens: counts[index] ?? 0, result: score };
    }
  };
}

/** OpenAI's moderation categories have the same names. That API counts no tokens. */
export function createClassify(send: Send, model: string) {
  return async function* classify(
    { inputs }: ClassifyRequest,
    signal: AbortSignal,
  ): AsyncGenerator<ItemEvent<LabelScores>> {
    const estimates = inputs.map(estimate);
    yield { type: 'prompt', promptTokens: sum(estimates) };
    const answer = await answerTo(send, { path: '/moderations', body: { model, input: inputs }, signal });
    if (!answer) return;
    const { results, usage } = answer as ModerationAnswer;
    checkIndexes(
      results?.map((_, index) => ({ index })),
      inputs.length,
    );
    const counts = share(usage, estimates);
    for (const [index, { category_scores: scores }] of results.entries()) {
      const result = forCategories((category) => scoreOf(scores, category));
      yield { type: 'item', index, promptTokens: counts[index] ?? 0, result };
    }
  };
}

type ModerationAnswer = {
  results: { category_scores?: Record<string, unknown> }[];
  usage?: { prompt_tokens?: number; total_tokens?: number };
};

/** A missing category does not mean that the text is harmless. */
function scoreOf(scores: Record<string, unknown> = {}, category: string): number {
  const score = scores[category];
  if (typeof score === 'number' && score >= 0 && score <= 1) return score;
  throw new Failure('upstream_failed', `The upstream server returned no score for ${category}.`);
}

type RerankAnswer = {
  results: { index: number; relevance_score: number }[];
  usage?: { prompt_tokens?: number; total_tokens?: number };
};

/** Every index exactly once: with a gap, a vector would belong to the wrong input. */
function checkIndexes(items: readonly { index: number }[] | undefined, count: number): void {
  const indexes = new Set(items?.map(({ index }) => index));
  if (items?.length === count && indexes.size === count && [...indexes].every((index) => index < count))
    return;
  throw new Failure('upstream_failed', `The upstream server returned ${indexes.size} of ${count} results.`);
}

/**
 * Distributes the server's token count over the items in proportion to the estimates, which are used as they are if
 * it counts nothing.
 */
function share(
  usage: { prompt_tokens?: number; total_tokens?: number } | undefined,
  estimates: readonly number[],
): number[] {
  const total = usage?.prompt_tokens ?? usage?.total_tokens;
  if (total === undefined) return [...estimates];
  const all = sum(estimates) || 1;
  let before = 0;
  let given = 0;
  return estimates.map((tokens) => {
    before += tokens;
    const upToHere = Math.round((total * before) / all);
    const own = upToHere - given;
    given = upToHere;
    return own;
  });
}

function estimate(input: TokenInput): number {
  return typeof input === 'string' ? Math.ceil(Buffer.byteLength(input) / BYTES_PER_TOKEN) + 2 : input.length;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
