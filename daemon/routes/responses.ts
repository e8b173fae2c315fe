import { countInputTokens, createResponse, type ResponseEvent } from '../../src/api/responses.ts';
import { toErrorBody, type Failure } from '../../src/errors.ts';
import type { Services } from '../compose.ts';
import { startedAnswer } from '../first-text.ts';
import type { Mount } from '../mount.ts';
import { toChatInput, toPrompt } from '../responses/input.ts';
import { collectResponse, toResponseEvents } from '../responses/output.ts';
import { toContext } from '../served.ts';
import { sendEvents, toNamedEvent } from '../sse.ts';

/** The door for clients that speak the Responses API: a translation, and the same inference behind it. */
export function mountResponses(mount: Mount, services: Services): void {
  const { chat, clock, log, readImage, stopping } = services;
  mount(createResponse, async (call) => {
    const { body, requestId, client, reply } = call;
    const input = await toChatInput(body, (url, param) => readImage(url, param, client));
    const progress = chat.complete(input, toContext(call, services));
    const answering = { requestId, createdAt: Math.floor(clock.now() / 1000), body };
    if (!body.stream) return collectResponse(answering, progress);
    const started = await startedAnswer(progress, client);
    return sendEvents({
      reply,
      blocks: toBlocks(toResponseEvents(answering, started)),
      toFailureBlock: (failure) => toNamedEvent('error', toErrorEvent(failure)),
      onFailure: ({ code, cause }) => log.warn({ request_id: requestId, code, cause }, 'stream failed'),
    });
  });

  mount(countInputTokens, async ({ body, client }) => {
    const prompt = await toPrompt(body, (url, param) => readImage(url, param, client));
    const counted = await chat.count({ model: body.model, ...prompt }, { client, daemon: stopping.signal });
    return { object: 'response.input_tokens' as const, input_tokens: counted.promptTokens };
  });
}

async function* toBlocks(events: AsyncIterable<ResponseEvent>): AsyncGenerator<string> {
  for await (const event of events) yield toNamedEvent(event.type, event);
}

function toErrorEvent(failure: Failure) {
  const { code, message, param } = toErrorBody(failure).error;
  return { type: 'error', code, message, param };
}
