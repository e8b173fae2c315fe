import type { FastifyRequest } from 'fastify';
import { countMessageTokens, createMessage, type MessageEvent } from '../../../src/api/chat/messages.ts';
import type { TaskContext } from '../../../src/inference/items.ts';
import type { Call } from '../../http/register-route.ts';
import type { Services } from '../../compose.ts';
import { startedAnswer } from '../../http/first-text.ts';
import { complete } from '../../apis/hosted/rounds.ts';
import { toMessagesError } from '../../apis/messages/errors.ts';
import { toChatInput, tokensAllowed, toPrompt } from '../../apis/messages/input.ts';
import { openMcpServers } from '../../apis/messages/mcp-servers.ts';
import { collectMessage, messageId, toMessageEvents } from '../../apis/messages/output.ts';
import type { Reading } from '../../apis/messages/turns.ts';
import type { RegisterRoute } from '../../http/register-route.ts';
import { leaveOutOf } from '../../apis/parameters/leave-out.ts';
import { toContext } from '../../http/served.ts';
import { sendEvents, toNamedEvent } from '../../http/sse.ts';

/** All of them are served in the same way. */
const VERSIONS = ['2023-01-01', '2023-06-01', '2026-10-21'];

/** Anthropic's Messages API: a translation in front of the same inference. */
export function registerMessages(register: RegisterRoute, services: Services): void {
  const { chat, log, stopping } = services;
  register(createMessage, async (call) => {
    const { body, requestId, client, reply } = call;
    const context = toContext(call, services);
    const reading = await readingOf(call, context, services);
    const input = await toChatInput(body, reading);
    const progress = complete(chat, { input, hosted: reading.hosted, context });
    const answering = { id: messageId(requestId), model: body.model, maxTokens: tokensAllowed(body) };
    if (!body.stream) return collectMessage(answering, progress);
    const started = await startedAnswer(progress, client);
    return sendEvents({
      reply,
      blocks: toBlocks(toMessageEvents(answering, started)),
      toFailureBlock: (failure) => toNamedEvent('error', toMessagesError(failure, requestId)),
      onFailure: ({ code, cause }) => log.warn({ request_id: requestId, code, cause }, 'stream failed'),
    });
  });

  register(countMessageTokens, async (call) => {
    const { body, client } = call;
    const prompt = await toPrompt(body, await readingOf(call, toContext(call, services), services));
    const counted = await chat.count({ model: body.model, ...prompt }, { client, daemon: stopping.signal });
    return { input_tokens: counted.promptTokens };
  });
}

async function* toBlocks(events: AsyncIterable<MessageEvent>): AsyncGenerator<string> {
  for await (const event of events) yield toNamedEvent(event.type, event);
}

type AnyCall = Pick<Call<typeof countMessageTokens>, 'body' | 'client' | 'ignored' | 'request'>;

async function readingOf(
  { body, client, ignored, request }: AnyCall,
  context: TaskContext,
  services: Services,
): Promise<Reading> {
  const { mcpServers, readImage, readDocument, settings } = services;
  const leaveOut = leaveOutOf({ ignored }, settings);
  if (!isKnownVersion(request)) leaveOut('anthropic-version', 'anthropic-version');
  return {
    readImage: (url, param) => readImage(url, param, client),
    readDocument: (url, param) => readDocument(url, param, client),
    leaveOut,
    hosted: await openMcpServers(mcpServers, {
      ...{ body, context, leaveOut },
      nameAsking: (name) => void ignored.add(name),
    }),
  };
}

/** A client of a newer version gets what exists, and is told that the header had no effect. */
function isKnownVersion({ headers }: FastifyRequest): boolean {
  const version = headers['anthropic-version'];
  return version === undefined || VERSIONS.includes(String(version));
}
