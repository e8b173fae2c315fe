import { createChatCompletion, type ChatCompletionRequest } from '../../src/api/chat.ts';
import { requireScope } from '../../src/access/scopes.ts';
import { Failure } from '../../src/errors.ts';
import type { ChatProgress } from '../../src/inference/chat.ts';
import { readImages } from '../chat-messages.ts';
import type { Services } from '../compose.ts';
import type { Mount } from '../mount.ts';
import { checkChatRequest, toChatInput } from '../chat-input.ts';
import { collectCompletion, completionId, toChunks, type Completion } from '../openai.ts';
import { toContext } from '../served.ts';
import { DONE, orTimeout, sendEvents, toEvent } from '../sse.ts';

/** Past this the headers go out and comments keep the connection warm; until then a failure is a plain HTTP error. */
const FIRST_TEXT_WAIT_MS = 10_000;

export function mountChat(mount: Mount, services: Services): void {
  const { chat, clock, log, readImage } = services;
  mount(createChatCompletion, async (call) => {
    const { body, requestId, client, reply } = call;
    checkChatRequest(body);
    const showPrompt = wantsPrompt(call.request.headers['x-askd-debug'], call.principal.scopes);
    const images = await readImages(body.messages, (url, param) => readImage(url, param, client));
    const progress = chat.complete(
      { ...toChatInput(body, images), ...(showPrompt && { showPrompt }) },
      toContext(call, services),
    );
    const created = Math.floor(clock.now() / 1000);
    const completion = { id: completionId(requestId), model: body.model, created };
    if (!body.stream) return collectCompletion(completion, progress);
    endWithClient(progress, client);
    const started = await untilFirstText(progress);
    return sendEvents({
      reply,
      blocks: toBlocks(completion, { body, progress: started }),
      onFailure: (failure) =>
        log.warn({ request_id: requestId, code: failure.code, cause: failure.cause }, 'stream failed'),
    });
  });
}

/** The prompt has what others may not see: what the owner of the model put into its template. */
function wantsPrompt(header: string | string[] | undefined, scopes: readonly string[]): boolean {
  if (header === undefined) return false;
  requireScope(scopes, 'admin');
  if (header === 'prompt') return true;
  throw new Failure('invalid_value', 'The header x-askd-debug knows only "prompt".', {
    param: 'x-askd-debug',
  });
}

/** A client that leaves before its stream is read leaves nobody to end the work: a generator waits for its reader. */
function endWithClient(progress: AsyncGenerator<ChatProgress>, client: AbortSignal): void {
  client.addEventListener('abort', () => void progress.return(undefined).catch(() => undefined), {
    once: true,
  });
}

async function untilFirstText(progress: AsyncGenerator<ChatProgress>): Promise<AsyncGenerator<ChatProgress>> {
  const prompt = await progress.next();
  const next = progress.next();
  await orTimeout(next, FIRST_TEXT_WAIT_MS);
  return resume(progress, [prompt, next]);
}

async function* resume(
  progress: AsyncGenerator<ChatProgress>,
  pending: (IteratorResult<ChatProgress> | Promise<IteratorResult<ChatProgress>>)[],
): AsyncGenerator<ChatProgress> {
  try {
    for (const promise of pending) {
      const step = await promise;
      if (step.done) return;
      yield step.value;
    }
    yield* progress;
  } finally {
    await progress.return(undefined);
  }
}

type Answering = { body: ChatCompletionRequest; progress: AsyncIterable<ChatProgress> };

async function* toBlocks(completion: Completion, { body, progress }: Answering): AsyncGenerator<string> {
  const includeUsage = body.stream_options?.include_usage ?? false;
  for await (const chunk of toChunks(completion, { progress, includeUsage, choices: body.n ?? 1 }))
    yield toEvent(chunk);
  yield DONE;
}
