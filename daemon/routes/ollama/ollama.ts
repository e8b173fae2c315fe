import { ollamaChat } from '../../../src/api/ollama/chat.ts';
import { ollamaEmbed, ollamaEmbeddings, type EmbedRequest } from '../../../src/api/ollama/embed.ts';
import { ollamaGenerate } from '../../../src/api/ollama/generate.ts';
import type { Endpoint } from '../../../src/api/endpoint.ts';
import { toIso } from '../../../src/base/clock.ts';
import type { ChatInput, ChatProgress } from '../../../src/inference/chat.ts';
import type { Keep } from '../../../src/runtime/pool.ts';
import type { Services } from '../../compose.ts';
import { startedAnswer } from '../../http/first-text.ts';
import type { Call, RegisterRoute } from '../../http/register-route.ts';
import { sendLines } from '../../http/ndjson.ts';
import { toContextNumbers } from '../../apis/ollama/conversation.ts';
import { toOllamaError } from '../../apis/ollama/errors.ts';
import { toChatInput, toGenerateInput } from '../../apis/ollama/input.ts';
import { readKeepAlive } from '../../apis/ollama/keep-alive.ts';
import { toModelName } from '../../apis/ollama/names.ts';
import { collectPieces, toChatLine, toGenerateLine, toPieces, type Piece } from '../../apis/ollama/output.ts';
import { createTimes, type Times } from '../../apis/ollama/times.ts';
import { joinPieces, PreparedJson } from '../../http/prepared-json.ts';
import { toContext } from '../../http/served.ts';

type Caller = Pick<Call<Endpoint>, 'requestId' | 'principal' | 'client' | 'reply'>;
type Line<Answer> = (heading: { model: string; created_at: string }, piece: Piece) => Answer;
type Named = { model?: string; name?: string; stream?: boolean; keep_alive?: string | number };

/** Inference in Ollama's API: a translation in front of the same inference. */
export function registerOllama(register: RegisterRoute, services: Services): void {
  register(ollamaChat, async (call) => {
    const { body } = call;
    if (!body.messages?.length) return loadAlone(call, toChatLine, services);
    const model = toModelName(body, services.library);
    const input = await toChatInput(body, model, pictureReader(call, services));
    return answer(call, { input, line: toChatLine }, services);
  });

  register(ollamaGenerate, async (call) => {
    const { body } = call;
    if (!body.prompt && !body.images?.length && !body.suffix)
      return loadAlone(call, toGenerateLine, services);
    const model = toModelName(body, services.library);
    const input = await toGenerateInput(body, model, pictureReader(call, services));
    let text = '';
    const line: Line<ReturnType<typeof toGenerateLine>> = (heading, piece) => {
      text += piece.text ?? '';
      const context = () => toContextNumbers([...input.messages, { role: 'assistant', content: text }]);
      return toGenerateLine(heading, piece, piece.ending && !input.raw ? context() : undefined);
    };
    return answer(call, { input, line }, services);
  });

  register(ollamaEmbed, async (call) => {
    const { body } = call;
    const texts = [body.input].flat();
    const { vectors, promptTokens, times } = await embed(call, texts, services);
    const { total_duration, load_duration } = times.soFar();
    const rest = { total_duration, load_duration, prompt_eval_count: promptTokens };
    const listed = await joinPieces(vectors.length, (index) => `[${(vectors[index] ?? []).join(',')}]`);
    const heading = JSON.stringify({ model: body.model ?? body.name });
    return new PreparedJson(
      `${heading.slice(0, -1)},"embeddings":[${listed}],${JSON.stringify(rest).slice(1)}`,
    );
  });

  register(ollamaEmbeddings, async (call) => {
    const { prompt } = call.body;
    const { vectors } = await embed(call, prompt ? [prompt] : [], services);
    return { embedding: [...(vectors[0] ?? [])] };
  });
}

function pictureReader({ client }: Pick<Caller, 'client'>, { readImage }: Services) {
  return (url: string, param: string) => readImage(url, param, client);
}

type Conversing<Answer> = { input: ChatInput; line: Line<Answer> };

async function answer<Answer>(
  call: Caller & { body: Named },
  { input, line }: Conversing<Answer>,
  services: Services,
): Promise<Answer | NodeJS.ReadableStream> {
  const { body, client } = call;
  const times = createTimes();
  const keep = readKeepAlive(body.keep_alive);
  const progress = keeping(services.chat.complete(input, timed(call, times, services)), {
    ...services,
    model: input.model,
    keep,
    client,
  });
  if (!input.stream) return line(headingOf(body, services), await collectPieces(toPieces(progress, times)));
  const pieces = toPieces(await startedAnswer(progress, client), times);
  return send(
    call,
    toLines(pieces, (piece) => line(headingOf(body, services), piece)),
    services,
  );
}

function timed(call: Caller, times: Times, services: Services) {
  const context = toContext(call, services);
  const onServed: typeof context.onServed = (by) => {
    times.loaded();
    context.onServed?.(by);
  };
  return { ...context, onServed };
}

type Keeping = Pick<Services, 'library' | 'pool'> & {
  model: string;
  keep: Keep | undefined;
  client: AbortSignal;
};

/** Applied once the model is loaded, so that a rejected request changes nothing. */
async function* keeping(
  progress: AsyncGenerator<ChatProgress>,
  { library, pool, model, keep, client }: Keeping,
): AsyncGenerator<ChatProgress> {
  let isApplied = keep === undefined;
  for await (const event of progress) {
    if (!isApplied) await pool.load(library.resolve(model), keep ?? {}, client);
    isApplied = true;
    yield event;
  }
}

/** An empty request loads its model, or unloads it. */
async function loadAlone<Answer extends object>(
  call: Caller & { body: Named },
  line: Line<Answer>,
  services: Services,
): Promise<Answer | NodeJS.ReadableStream> {
  const { body, client } = call;
  const { library, pool } = services;
  const keep = readKeepAlive(body.keep_alive) ?? {};
  const manifest = library.resolve(toModelName(body, library));
  const leaves = keep.keepAliveMs === 0;
  if (leaves) await pool.stop(manifest.id);
  else await pool.load(manifest, keep, client);
  const empty = line(headingOf(body, services), {});
  const last = { ...empty, done: true, done_reason: leaves ? 'unload' : 'load' };
  return body.stream === false
    ? last
    : send(
        call,
        toLines(only(last), (each) => each),
        services,
      );
}

async function embed(
  call: Caller & { body: Pick<EmbedRequest, 'model' | 'name' | 'dimensions' | 'keep_alive'> },
  inputs: readonly string[],
  services: Services,
) {
  const { body, client } = call;
  const { library, pool } = services;
  const times = createTimes();
  const model = toModelName(body, library);
  const keep = readKeepAlive(body.keep_alive);
  const { dimensions } = body;
  if (inputs.length === 0) {
    await pool.load(library.resolve(model), keep ?? {}, client);
    return { vectors: [], promptTokens: 0, times };
  }
  const wanted = { model, inputs, ...(dimensions !== undefined && { dimensions }) };
  const made = await services.embed.embed(wanted, timed(call, times, services));
  if (keep) await pool.load(library.resolve(model), keep, client);
  return { ...made, times };
}

function headingOf({ model, name }: Named, { clock }: Services) {
  return { model: model ?? name ?? '', created_at: toIso(clock.now()) };
}

function send({ reply, requestId }: Caller, lines: AsyncIterable<unknown>, { log }: Services) {
  return sendLines({
    reply,
    lines,
    toFailureLine: toOllamaError,
    onFailure: ({ code, cause }) => log.warn({ request_id: requestId, code, cause }, 'stream failed'),
  });
}

async function* toLines<Item>(
  items: AsyncIterable<Item> | Iterable<Item>,
  toLine: (item: Item) => unknown,
): AsyncGenerator<unknown> {
  for await (const item of items) yield toLine(item);
}

function only<Item>(item: Item): Item[] {
  return [item];
}
