import { createChatCompletion, type ChatCompletionRequest } from '../../../src/api/chat/chat.ts';
import { requireScope } from '../../../src/access/scopes.ts';
import { Failure } from '../../../src/base/errors.ts';
import type { ChatProgress } from '../../../src/inference/chat.ts';
import { readImages } from '../../apis/chat/messages.ts';
import type { Services } from '../../compose.ts';
import { startedAnswer } from '../../http/first-text.ts';
import type { RegisterRoute } from '../../http/register-route.ts';
import { withFilesRead } from '../../apis/chat/files.ts';
import { readChat } from '../../apis/chat/input.ts';
import { withCustomCalls, withoutThoughts } from '../../apis/chat/custom-calls.ts';
import { leaveOutOf } from '../../apis/parameters/leave-out.ts';
import { collectCompletion, completionId, toChunks, type Completion } from '../../apis/chat/output.ts';
import { fingerprintOf, toContext } from '../../http/served.ts';
import { DONE, sendEvents, toEvent } from '../../http/sse.ts';

export function registerChat(register: RegisterRoute, services: Services): void {
  const { chat, clock, log, readImage, readDocument, settings } = services;
  register(createChatCompletion, async (call) => {
    const { requestId, client, reply } = call;
    const messages = await withFilesRead(call.body.messages, (url, param) =>
      readDocument(url, param, client),
    );
    const body = { ...call.body, messages };
    const showPrompt = wantsPrompt(call.request.headers['x-askd-debug'], call.principal.scopes);
    const images = await readImages(body.messages, (url, param) => readImage(url, param, client));
    const { input, custom, hidesThoughts } = readChat(body, { images, leaveOut: leaveOutOf(call, settings) });
    const events = chat.complete({ ...input, ...(showPrompt && { showPrompt }) }, toContext(call, services));
    const shown = hidesThoughts ? withoutThoughts(events) : events;
    const progress = custom.size > 0 ? withCustomCalls(shown, custom) : shown;
    const created = Math.floor(clock.now() / 1000);
    const completion = {
      id: completionId(requestId),
      model: body.model,
      created,
      custom,
      fingerprint: () => fingerprintOf(reply),
    };
    if (!body.stream) return collectCompletion(completion, progress);
    const started = await startedAnswer(progress, client);
    return sendEvents({
      reply,
      blocks: toBlocks(completion, { body, progress: started }),
      onFailure: (failure) =>
        log.warn({ request_id: requestId, code: failure.code, cause: failure.cause }, 'stream failed'),
    });
  });
}

/** The prompt contains what others may not see: the model's template. */
function wantsPrompt(header: string | string[] | undefined, scopes: readonly string[]): boolean {
  if (header === undefined) return false;
  requireScope(scopes, 'admin');
  if (header === 'prompt') return true;
  throw new Failure('invalid_value', 'The header x-askd-debug must be "prompt".', {
    param: 'x-askd-debug',
  });
}

type Answering = { body: ChatCompletionRequest; progress: AsyncIterable<ChatProgress> };

async function* toBlocks(completion: Completion, { body, progress }: Answering): AsyncGenerator<string> {
  const includeUsage = body.stream_options?.include_usage ?? false;
  for await (const chunk of toChunks(completion, { progress, includeUsage, choices: body.n ?? 1 }))
    yield toEvent(chunk);
  yield DONE;
}
