import { Failure } from '../../src/base/errors.ts';
import type {
  EmbedRequest,
  ItemEvent,
  RerankRequest,
  Session,
  TokenInput,
} from '../../src/runtime/engine.ts';
import { runBatches, type Batching } from './batches.ts';
import { chunkTokens } from './chunks.ts';
import { checkLength } from './item-limits.ts';
import type { FairQueue } from './fair-queue.ts';

/** A model that embeds a text in one vector. */
export type Encoder = {
  /** The longest text, special tokens included. */
  contextTokens: number;
  vocabulary: number;
  tokenize(text: string): number[];
  /** The length of tokens with special tokens added, if they are not yet included. */
  lengthOf(tokens: readonly number[]): number;
  /** Each text is evaluated alone if absent. */
  batching?: Batching | undefined;
  /** One for each text, not normalized; cannot be interrupted. */
  vectorsOf(texts: readonly (readonly number[])[]): Promise<readonly ArrayLike<number>[]>;
};

/** The methods of every engine with an encoder. */
export function createVectorMethods(
  encoder: Encoder,
  turns: FairQueue,
): Required<Pick<Session, 'embed' | 'rerank'>> {
  const { contextTokens } = encoder;

  function read(input: TokenInput, index: number) {
    const param = `input[${index}]`;
    const tokens = typeof input === 'string' ? encoder.tokenize(input) : input;
    checkKnown(tokens, encoder.vocabulary, param);
    const length = encoder.lengthOf(tokens);
    checkLength({ param, tokens: length, tokensMax: contextTokens });
    return { tokens, length };
  }

  async function* embed(
    { inputs, dimensions }: EmbedRequest,
    signal: AbortSignal,
  ): AsyncGenerator<ItemEvent<Float32Array>> {
    const texts = inputs.map(read);
    yield { type: 'prompt', promptTokens: sum(texts.map(({ length }) => length)) };
    const batches = {
      lengths: texts.map(({ length }) => length),
      batching: encoder.batching,
      work: (indices: readonly number[]) =>
        encoder.vectorsOf(indices.map((index) => texts[index]?.tokens ?? [])),
      finish: (vector: ArrayLike<number>, index: number) =>
        toUnitVector(vector, { dimensions, param: `input[${index}]` }),
    };
    yield* runBatches(turns, batches, signal);
  }

  /** Cosine similarity mapped to 0..1; a long document scores as its nearest chunk. */
  async function* rerank(
    { query, documents, maxTokensPerDocument: most }: RerankRequest,
    signal: AbortSignal,
  ): AsyncGenerator<ItemEvent<number>> {
    const question = encoder.tokenize(query);
    const questionLength = encoder.lengthOf(question);
    checkLength({ param: 'query', tokens: questionLength, tokensMax: contextTokens });
    const frame = encoder.lengthOf([]);
    const texts = documents.map((document) =>
      chunkTokens(encoder.tokenize(document).slice(0, most), contextTokens - frame),
    );
    const lengths = texts.map((chunks) => sum(chunks.map((chunk) => encoder.lengthOf(chunk))));
    yield { type: 'prompt', promptTokens: questionLength + sum(lengths) };
    const unitVector = async (tokens: readonly number[], param: string) => {
      const [vector = []] = await encoder.vectorsOf([tokens]);
      return toUnitVector(vector, { param });
    };
    let direction: Float32Array | undefined;
    const items = texts.map((chunks, index) => ({
      // The query is processed once, with the first document.
      promptTokens: (lengths[index] ?? 0) + (index === 0 ? questionLength : 0),
      async work() {
        direction ??= requireDirection(await unitVector(question, 'query'));
        let best = -1;
        for (const chunk of chunks) {
          best = Math.max(best, cosine(direction, await unitVector(chunk, `documents[${index}]`)));
        }
        return (Math.min(best, 1) + 1) / 2;
      },
    }));
    yield* turns.run(items, signal);
  }

  return { embed, rerank };
}

/** Truncates and normalizes a vector. A zero vector has no direction and stays as it is. */
export function toUnitVector(
  values: ArrayLike<number>,
  { dimensions = values.length, param }: { dimensions?: number | undefined; param: string },
): Float32Array {
  // Loops, because the model is idle in the meantime: callbacks take several times as long.
  const vector = new Float32Array(dimensions);
  for (let index = 0; index < dimensions; index++) vector[index] = values[index] ?? 0;
  let squares = 0;
  for (const value of vector) squares += value * value;
  const length = Math.sqrt(squares);
  if (!Number.isFinite(length)) {
    const message = `The model returned a vector with non-finite numbers for ${param}.`;
    throw new Failure('model_output_invalid', message, { param });
  }
  if (length === 0) return vector;
  for (let index = 0; index < dimensions; index++) vector[index] = (vector[index] ?? 0) / length;
  return vector;
}

/** For a zero query, all documents would be equally near. */
function requireDirection(query: Float32Array): Float32Array {
  if (query.some((value) => value !== 0)) return query;
  const message = 'query contains nothing that this model can embed.';
  throw new Failure('invalid_value', message, { param: 'query' });
}

function cosine(a: Float32Array, b: Float32Array): number {
  return a.reduce((total, value, index) => total + value * (b[index] ?? 0), 0);
}

function checkKnown(tokens: readonly number[], vocabulary: number, param: string): void {
  const unknown = tokens.find((token) => token >= vocabulary);
  if (unknown === undefined) return;
  const message = `${param} has the token ${unknown}; the tokens of this model are 0 to ${vocabulary - 1}.`;
  throw new Failure('invalid_value', message, { param });
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
