import type { FastifyRequest } from 'fastify';
import { countMessageTokens, createMessage, type MessageEvent } from '../../src/api/messages.ts';
import { Failure } from '../../src/errors.ts';
import type { Services } from '../compose.ts';
import { startedAnswer } from '../first-text.ts';
import { toMessagesError } from '../messages/errors.ts';
import { toChatInput, toPrompt } from '../messages/input.ts';
import { collectMessage, messageId, toMessageEvents } from '../messages/output.ts';
import type { Mount } from '../mount.ts';
import { toContext } from '../served.ts';
import { sendEvents, toNamedEvent } from '../sse.ts';

/** What is served of this API is the same in both. */
const VERSIONS = ['2023-06-01', '2026-10-21'];

/** The door for clients that speak Anthropic's Messages API: a translation, and the same inference behind it. */
export function mountMessages(mount: Mount, services: Services): void {
  const { chat, log, stopping, readImage } = services;
  mount(createMessage, async (call) => {
    const { body, request, requestId, client, reply } = call;
    checkVersion(request);
    const input = await toChatInput(body, (url, param) => readImage(url, param, client));
    const progress = chat.complete(input, toContext(call, services));
    const answering = { id: messageId(requestId), model: body.model };
    if (!body.stream) return collectMessage(answering, progress);
    const started = await startedAnswer(progress, client);
    return sendEvents({
      reply,
      blocks: toBlocks(toMessageEvents(answering, started)),
      toFailureBlock: (failure) => toNamedEvent('error', toMessagesError(failure, requestId)),
      onFailure: ({ code, cause }) => log.warn({ request_id: requestId, code, cause }, 'stream failed'),
    });
  });

  mount(countMessageTokens, async ({ body, request, client }) => {
    checkVersion(request);
    const prompt = await toPrompt(body, (url, param) => readImage(url, param, client));
    const counted = await chat.count({ model: body.model, ...prompt }, { client, daemon: stopping.signal });
    return { input_tokens: counted.promptTokens };
  });
}

async function* toBlocks(events: AsyncIterable<MessageEvent>): AsyncGenerator<string> {
  for await (const event of events) yield toNamedEvent(event.type, event);
}

/** A client that asks for another version expects something else. */
function checkVersion({ headers }: FastifyRequest): void {
  const version = headers['anthropic-version'];
  if (version === undefined || VERSIONS.includes(String(version))) return;
  throw new Failure(
    'invalid_value',
    `The version "${String(version)}" of this API is not known; ${VERSIONS.join(' and ')} are.`,
    { param: 'anthropic-version' },
  );
}
