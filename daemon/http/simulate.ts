import { Readable } from 'node:stream';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Failure } from '../../src/base/errors.ts';
import type { Log } from '../../src/log/log.ts';
import {
  SIMULATE_HEADER,
  SIMULATED_HEADER,
  type Simulated,
  type Simulations,
} from '../../src/access/simulation/simulations.ts';
import type { Trouble } from '../../src/access/simulation/trouble.ts';
import { PreparedJson } from './prepared-json.ts';

const PIECE_MS = 100;

/** What a test key wants to happen to this request, stored where the rest of the code looks for it. */
export function beginSimulation(
  { simulations, log }: { simulations: Simulations; log: Log },
  route: { method: string; path: string },
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const header = request.headers[SIMULATE_HEADER];
  const { keyId } = request.principal;
  const given = header === undefined ? undefined : String(header);
  const simulated = simulations.begin({ requestId: request.id, keyId, header: given, ...route });
  if (!simulated) return;
  request.simulated = simulated;
  void reply.header(SIMULATED_HEADER, simulated.text);
  log.info({ request_id: request.id, key_id: keyId, simulated: simulated.text }, 'simulated trouble');
}

/** The body of a request as it would arrive over a slow connection. */
export function slowUpload<Body extends Readable>(
  { simulated }: FastifyRequest,
  body: Body,
): Body | Readable {
  const bytesPerSecond = simulated?.trouble.upload_bytes_per_second;
  if (bytesPerSecond === undefined) return body;
  return Readable.from(inPieces(body, bytesPerSecond), { objectMode: false });
}

async function* inPieces(body: Readable, bytesPerSecond: number): AsyncGenerator<Buffer> {
  const pieceBytes = Math.max(1, Math.round((bytesPerSecond * PIECE_MS) / 1000));
  for await (const chunk of body as AsyncIterable<Buffer>) {
    for (let from = 0; from < chunk.length; from += pieceBytes) {
      const piece = chunk.subarray(from, from + pieceBytes);
      await sleep((1000 * piece.length) / bytesPerSecond);
      yield piece;
    }
  }
}

/** The answer of a route under the simulated failures. */
export async function withTrouble(
  { trouble }: Simulated,
  { request, reply, client }: { request: FastifyRequest; reply: FastifyReply; client: AbortSignal },
  answer: () => unknown,
): Promise<unknown> {
  const pause = (ms: number | undefined) => (ms ? sleep(ms, undefined, { signal: client }) : undefined);
  await pause(trouble.delay_ms);
  if (trouble.error !== undefined) throw simulatedFailure(trouble);
  const cut = async (): Promise<void> => {
    request.brokeOff = true;
    // What was written is sent at the end of this turn.
    await nextTurn();
    reply.raw.destroy();
  };
  if (trouble.cut_after === 0) {
    await cut();
    throw new Failure('client_disconnected', 'The connection was cut by a simulation.');
  }
  const answered = await answer();
  if (answered instanceof Readable)
    return Readable.from(troubled(answered, { trouble, pause, cut, request }), { objectMode: true });
  await pause(durationOf(answered, trouble));
  return brokenText(answered, trouble, cut, reply);
}

/** How long an answer in one piece takes at the requested speed. */
function durationOf(answered: unknown, { tokens_per_second: speed }: Trouble): number | undefined {
  if (speed === undefined) return undefined;
  const [, tokens = '0'] = /"(?:completion|output)_tokens":(\d+)/.exec(textOf(answered)) ?? [];
  return (1000 * Number(tokens)) / speed;
}

function textOf(answered: unknown): string {
  return answered instanceof PreparedJson ? answered.text : JSON.stringify(answered);
}

function simulatedFailure({ error = 'internal_error', retry_after: seconds }: Trouble): Failure {
  return new Failure(error, `This error is simulated for a test key (${error}).`, {
    ...(seconds !== undefined && { retryAfterSeconds: seconds }),
  });
}

type Means = {
  trouble: Trouble;
  pause: (ms: number | undefined) => Promise<unknown> | undefined;
  cut: () => Promise<void>;
  request: FastifyRequest;
};

/** In every API, whatever follows the last text is the end of an answer. */
async function* troubled(blocks: Readable, { trouble, pause, cut, request }: Means): AsyncGenerator<unknown> {
  const { cut_after: cutAfter, truncate_after: truncateAfter, no_end: noEnd } = trouble;
  const breaksOff = cutAfter !== undefined || truncateAfter !== undefined || noEnd;
  const betweenMs = trouble.token_delay_ms ?? (trouble.tokens_per_second && 1000 / trouble.tokens_per_second);
  if (breaksOff) request.brokeOff = true;
  let texts = 0;
  let held: (string | Buffer)[] = [];
  for await (const block of blocks as AsyncIterable<string | Buffer>) {
    if (!hasText(String(block))) {
      if (breaksOff && texts > 0) held.push(block);
      else yield block;
      continue;
    }
    if (texts === cutAfter) return await cut();
    if (texts === truncateAfter) {
      yield half(String(block));
      return;
    }
    await pause(texts === 0 ? trouble.first_token_delay_ms : betweenMs);
    yield* held;
    held = [];
    texts += 1;
    yield block;
  }
  // The answer was shorter than it should have been.
  if (cutAfter !== undefined) await cut();
  if (truncateAfter !== undefined) yield half(String(held[0] ?? ''));
}

/** Text, thoughts or arguments of a tool call, in the events of any of the APIs. */
function hasText(block: string): boolean {
  if (/"type":"[\w.]*(done|completed|created|in_progress)"/.test(block)) return false;
  return /"(content|reasoning_content|text|delta|thinking|response|arguments|partial_json)":"[^"]/.test(
    block,
  );
}

/** Its frame ends properly, so that the client receives JSON that does not parse. */
function half(block: string): string {
  return `${block.trimEnd().slice(0, Math.ceil(block.trimEnd().length / 2))}\n\n`;
}

function brokenText(
  answered: unknown,
  trouble: Trouble,
  cut: () => Promise<void>,
  reply: FastifyReply,
): unknown {
  const { cut_after: cutAfter, truncate_after: truncateAfter, no_end: noEnd } = trouble;
  if (cutAfter === undefined && truncateAfter === undefined && !noEnd) return answered;
  const text = textOf(answered);
  const begun = text.slice(0, Math.ceil(text.length / 2));
  reply.request.brokeOff = true;
  void reply.type('application/json; charset=utf-8');
  if (cutAfter === undefined) return begun;
  return Readable.from(thenCut(begun, cut));
}

async function* thenCut(begun: string, cut: () => Promise<void>): AsyncGenerator<string> {
  yield begun;
  await cut();
}

declare module 'fastify' {
  // eslint-disable-next-line @typescript-eslint/consistent-type-definitions -- only an interface can be augmented
  interface FastifyRequest {
    simulated?: Simulated;
  }
}
