import type { Endpoint } from '../../../src/api/endpoint.ts';
import {
  cancelResponse,
  countInputTokens,
  createResponse,
  deleteResponse,
  getResponse,
  listInputItems,
  type ResponseAnswer,
  type ResponseEvent,
} from '../../../src/api/chat/responses.ts';
import { Failure, toErrorBody } from '../../../src/base/errors.ts';
import type { ChatProgress } from '../../../src/inference/chat.ts';
import { page } from '../../../src/responses/items.ts';
import type { Services } from '../../compose.ts';
import { startedAnswer } from '../../http/first-text.ts';
import type { Call, RegisterRoute } from '../../http/register-route.ts';
import { leaveOutOf } from '../../apis/parameters/leave-out.ts';
import { toChatInput, toPrompt, type Reading } from '../../apis/responses/input.ts';
import {
  collectResponse,
  failedResponse,
  toResponseEvents,
  type Answering,
} from '../../apis/responses/output.ts';
import { remember } from '../../apis/responses/stored.ts';
import { openHosted } from '../../apis/responses/open-hosted.ts';
import { complete } from '../../apis/hosted/rounds.ts';
import { toContext } from '../../http/served.ts';
import { sendEvents, toNamedEvent } from '../../http/sse.ts';

/** The Responses API: a translation in front of the same inference. */
export function registerResponses(register: RegisterRoute, services: Services): void {
  const { chat, clock, log, readImage, readDocument, stopping, responses, settings } = services;

  const reading = (call: Pick<Call<Endpoint>, 'client' | 'ignored'>): Reading => ({
    readImage: (url, param) => readImage(url, param, call.client),
    readDocument: (url, param) => readDocument(url, param, call.client),
    leaveOut: leaveOutOf(call, settings),
  });

  register(createResponse, async (call) => {
    const { requestId, client, reply, principal } = call;
    const { leaveOut } = reading(call);
    const { body, ...memory } = remember(services, { body: call.body, caller: principal, leaveOut });
    const context = toContext(call, services);
    const hosted = await openHosted(services, { body, principal, context, leaveOut });
    const { input, clientTools } = await toChatInput(body, { ...reading(call), hosted });
    const progress = complete(chat, { input, hosted, context });
    const createdAt = Math.floor(clock.now() / 1000);
    const answering: Answering = { requestId, createdAt, body, clientTools, hosted, ...memory };
    if (!body.stream) return collectResponse(answering, progress);
    const started = await startedAnswer(progress, client).catch(inStream);
    return sendEvents({
      reply,
      blocks: toBlocks(toResponseEvents(answering, started)),
      toFailureBlock: (failure) => toFailureBlocks(failure, answering),
      onFailure: ({ code, cause }) => log.warn({ request_id: requestId, code, cause }, 'stream failed'),
    });
  });

  register(countInputTokens, async (call) => {
    const { client, principal } = call;
    const { leaveOut } = reading(call);
    const { body } = remember(services, { body: call.body, caller: principal, leaveOut });
    const context = toContext(call, services);
    const hosted = await openHosted(services, { body, principal, context, leaveOut });
    const { prompt } = await toPrompt(body, { ...reading(call), hosted });
    const counted = await chat.count({ model: body.model, ...prompt }, { client, daemon: stopping.signal });
    return { object: 'response.input_tokens' as const, input_tokens: counted.promptTokens };
  });

  register(getResponse, ({ params: { id = '' }, principal }) => {
    return responses.find(id, principal).answer as ResponseAnswer;
  });

  register(deleteResponse, ({ params: { id = '' }, principal }) => {
    responses.remove(id, principal);
    return { id, object: 'response' as const, deleted: true as const };
  });

  register(cancelResponse, ({ params: { id = '' }, principal }) => {
    responses.find(id, principal);
    throw new Failure(
      'invalid_value',
      `The response ${id} is already complete. A running response is cancelled by closing its connection.`,
      { param: 'id' },
    );
  });

  register(listInputItems, ({ params: { id = '' }, principal, query }) =>
    page(responses.inputOf(id, principal), query),
  );
}

/** Codex compacts its conversation when a stream reports that the prompt is too long; a 400 would end it. */
function inStream(error: unknown): AsyncGenerator<ChatProgress> {
  if (error instanceof Failure && error.code === 'context_length_exceeded') return failing(error);
  throw error;
}

// eslint-disable-next-line require-yield -- a stream whose first event is its failure
async function* failing(failure: Failure): AsyncGenerator<ChatProgress> {
  return Promise.reject(failure);
}

async function* toBlocks(events: AsyncIterable<ResponseEvent>): AsyncGenerator<string> {
  for await (const event of events) yield toNamedEvent(event.type, event);
}

/** Some clients read one event, some the other. */
function toFailureBlocks(failure: Failure, answering: Answering): string {
  const { message, param } = toErrorBody(failure).error;
  const { code } = failure;
  const type = 'response.failed';
  const response = failedResponse(answering, { code, message });
  return (
    toNamedEvent(type, { type, response }) + toNamedEvent('error', { type: 'error', code, message, param })
  );
}
