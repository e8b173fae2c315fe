import { createEmbedding, type EmbeddingRequest, type TokenCost } from '../../../src/api/tasks/embeddings.ts';
import { shownCost } from '../../../src/inference/charges/cost.ts';
import type { EmbedInput, Embeddings } from '../../../src/inference/embed.ts';
import type { TokenInput } from '../../../src/runtime/engine.ts';
import type { Services } from '../../compose.ts';
import type { RegisterRoute } from '../../http/register-route.ts';
import { joinPieces, PreparedJson } from '../../http/prepared-json.ts';
import { toContext } from '../../http/served.ts';

export function registerEmbeddings(register: RegisterRoute, services: Services): void {
  register(createEmbedding, async (call) => {
    const { body } = call;
    const context = toContext(call, services);
    const made = await services.embed.embed(toEmbedInput(body), context);
    const { promptTokens } = made;
    const cost = shownCost({ model: body.model, task: 'embed', promptTokens, batch: context.batch });
    return writeEmbeddings(body, made, cost);
  });
}

function toEmbedInput({ model, input, dimensions }: EmbeddingRequest): EmbedInput {
  return { model, inputs: toInputs(input), ...(dimensions !== undefined && { dimensions }) };
}

function toInputs(input: EmbeddingRequest['input']): readonly TokenInput[] {
  if (typeof input === 'string') return [input];
  return typeof input[0] === 'number' ? [input as number[]] : (input as TokenInput[]);
}

/** Written in pieces: a hundred vectors are a million characters or more. */
export async function writeEmbeddings(
  body: EmbeddingRequest,
  { vectors, promptTokens }: Embeddings,
  cost: TokenCost,
): Promise<PreparedJson> {
  const encode = body.encoding_format === 'base64' ? toBase64 : toNumbers;
  const data = await joinPieces(vectors.length, (index) => {
    const vector = vectors[index] ?? new Float32Array();
    return `{"object":"embedding","index":${index},"embedding":${encode(vector)}}`;
  });
  const usage = { prompt_tokens: promptTokens, total_tokens: promptTokens };
  const rest = JSON.stringify({ model: body.model, usage, cost });
  return new PreparedJson(`{"object":"list","data":[${data}],${rest.slice(1)}`);
}

function toBase64({ buffer, byteOffset, byteLength }: Float32Array): string {
  return `"${Buffer.from(buffer, byteOffset, byteLength).toString('base64')}"`;
}

function toNumbers(vector: Float32Array): string {
  return `[${vector.join(',')}]`;
}
