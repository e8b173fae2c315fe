import {
  createCompletion,
  type CompletionRequest,
  type TextCompletion,
} from '../../../src/api/chat/completions.ts';
import type { ChatInput, ChatProgress } from '../../../src/inference/chat.ts';
import {
  checkTextRequest,
  collectText,
  toTextChunks,
  toTextInputs,
  type TextProgress,
} from '../../apis/completions/completions.ts';
import type { Services } from '../../compose.ts';
import { startedAnswer } from '../../http/first-text.ts';
import type { RegisterRoute } from '../../http/register-route.ts';
import { fingerprintOf, toContext } from '../../http/served.ts';
import { DONE, sendEvents, toEvent } from '../../http/sse.ts';

export function registerCompletions(register: RegisterRoute, services: Services): void {
  const { chat, clock, log } = services;
  register(createCompletion, async (call) => {
    const { body, requestId, client, reply } = call;
    checkTextRequest(body);
    const context = toContext(call, services);
    const complete = (input: ChatInput, prompt: number) =>
      chat.complete(input, prompt === 0 ? context : { ...context, requestId: `${requestId}-${prompt}` });
    const progress = oneAfterAnother(toTextInputs(body), complete);
    const id = `cmpl-${requestId.replace(/^req_/, '')}`;
    const created = Math.floor(clock.now() / 1000);
    const texting = { id, created, body, fingerprint: () => fingerprintOf(reply) };
    if (!body.stream) return collectText(texting, progress);
    const started = await startedAnswer(progress, client);
    return sendEvents({
      reply,
      blocks: toBlocks(toTextChunks(texting, started), body),
      onFailure: ({ code, cause }) => log.warn({ request_id: requestId, code, cause }, 'stream failed'),
    });
  });
}

async function* oneAfterAnother(
  inputs: readonly ChatInput[],
  complete: (input: ChatInput, prompt: number) => AsyncIterable<ChatProgress>,
): AsyncGenerator<TextProgress> {
  for (const [prompt, input] of inputs.entries()) {
    for await (const event of complete(input, prompt)) yield { prompt, event };
  }
}

async function* toBlocks(
  chunks: AsyncIterable<TextCompletion>,
  { stream_options: options }: CompletionRequest,
): AsyncGenerator<string> {
  for await (const chunk of chunks) {
    if (chunk.choices.length > 0 || options?.include_usage) yield toEvent(chunk);
  }
  yield DONE;
}
