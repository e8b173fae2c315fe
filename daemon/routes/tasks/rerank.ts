import type { FastifyRequest } from 'fastify';
import {
  createRerank,
  rerankAliases,
  type RerankDocumentsResult,
  type RerankProgress,
  type RerankResult,
} from '../../../src/api/tasks/rerank.ts';
import { createChannel } from '../../../src/runtime/channel.ts';
import type { Services } from '../../compose.ts';
import type { Call, RegisterRoute } from '../../http/register-route.ts';
import {
  toRerankAnswer,
  toRerankInput,
  type RerankBody,
  type RerankShape,
} from '../../apis/rerank/rerank.ts';
import { toContext } from '../../http/served.ts';
import { DONE, orTimeout, sendEvents, toEvent } from '../../http/sse.ts';

/** After this time the headers of a stream are sent; until then, a failure is a plain HTTP error. */
const FIRST_EVENT_WAIT_MS = 10_000;

export function registerRerank(register: RegisterRoute, services: Services): void {
  register(createRerank, async (call) => {
    const shape = isCohere(call.request) ? 'object' : 'text';
    return answer(call, call.body, shape) as Promise<RerankResult>;
  });
  for (const endpoint of rerankAliases) {
    register(endpoint, (call) => answer(call, call.body, 'object') as Promise<RerankDocumentsResult>);
  }

  async function answer(call: RerankCall, body: RerankBody, shape: RerankShape): Promise<unknown> {
    const { requestId, reply } = call;
    const { rerank, log } = services;
    const context = toContext(call, services);
    const input = toRerankInput(body);
    const answered = { body, input, requestId, shape };
    if (!body.stream) return toRerankAnswer(await rerank.rerank(input, context), answered);
    // Scores arrive in batches: events of one batch are written together.
    const events = createChannel<string>((earlier, later) => earlier + later);
    const onScored = sayHundredths(input.documents.length, (event) => events.push(toEvent(event)));
    // The work does not wait for its reader: it ends when it is done, or when the client disconnects.
    void rerank.rerank({ ...input, onScored }, context).then((ranking) => {
      events.push(toEvent(toRerankAnswer(ranking, answered)));
      events.push(DONE);
      events.end();
    }, events.fail);
    const blocks = events.iterate();
    const first = blocks.next();
    await orTimeout(first, FIRST_EVENT_WAIT_MS);
    return sendEvents({
      reply,
      blocks: withFirst(first, blocks),
      onFailure: (failure) =>
        log.warn({ request_id: requestId, code: failure.code, cause: failure.cause }, 'stream failed'),
    });
  }
}

type RerankCall = Pick<
  Call<typeof createRerank>,
  'requestId' | 'reply' | 'request' | 'principal' | 'client' | 'ignored' | 'params'
>;

/** Cohere's client shares a path with ours, but expects documents as objects. */
function isCohere({ headers }: FastifyRequest): boolean {
  return headers['x-fern-sdk-name'] === 'cohere-ai' || /^cohere/i.test(headers['user-agent'] ?? '');
}

async function* withFirst<Block>(first: Promise<IteratorResult<Block>>, rest: AsyncGenerator<Block>) {
  const step = await first;
  if (!step.done) yield step.value;
  yield* rest;
}

/** Reports progress only in hundredths, so that a thousand short documents do not make a thousand events. */
function sayHundredths(total: number, say: (event: RerankProgress) => void): (scored: number) => void {
  let reported = 0;
  return (scored) => {
    const hundredths = Math.floor((scored * 100) / total);
    if (hundredths > reported) say({ progress: { scored, total } });
    reported = hundredths;
  };
}
