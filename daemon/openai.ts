import type { ChatCompletion, ChatCompletionChunk, ChatCompletionRequest, Usage } from '../src/api/chat.ts';
import { Failure } from '../src/errors.ts';
import type { ChatInput, ChatProgress } from '../src/inference/chat.ts';
import { toMessages, type Images } from './chat-messages.ts';

/** The widely used chat-completion convention on one side, our own terms on the other; nothing but translation. */
export function toChatInput(body: ChatCompletionRequest, images: Images): ChatInput {
  const maxTokens = body.max_completion_tokens ?? body.max_tokens;
  return {
    model: body.model,
    messages: toMessages(body.messages, images),
    stream: body.stream ?? false,
    ...(maxTokens !== undefined && { maxTokens }),
    stop: body.stop === undefined ? [] : [body.stop].flat(),
    sampling: {
      temperature: body.temperature ?? 1,
      topP: body.top_p ?? 1,
      presencePenalty: body.presence_penalty ?? 0,
      frequencyPenalty: body.frequency_penalty ?? 0,
      ...(body.seed !== undefined && { seed: body.seed }),
    },
  };
}

/** What the schema of a single field cannot say. */
export function checkChatRequest(body: ChatCompletionRequest): void {
  if (body.stream_options && !body.stream) {
    throw new Failure('invalid_value', '"stream_options" needs "stream": true.', { param: 'stream_options' });
  }
  if (body.max_tokens !== undefined && body.max_completion_tokens !== undefined) {
    throw new Failure('invalid_value', 'Give "max_tokens" or "max_completion_tokens", not both.', {
      param: 'max_tokens',
    });
  }
}

export type Completion = { id: string; model: string; created: number };

export function completionId(requestId: string): string {
  return `chatcmpl-${requestId.replace(/^req_/, '')}`;
}

export async function collectCompletion(
  completion: Completion,
  progress: AsyncIterable<ChatProgress>,
): Promise<ChatCompletion> {
  const counts = createCounts();
  let content = '';
  let end: Ending = { finish_reason: 'stop' };
  for await (const event of progress) {
    counts.add(event);
    if (event.type === 'text') content += event.text;
    if (event.type === 'end') end = toEnding(event);
  }
  const { id, created, model } = completion;
  return {
    id,
    object: 'chat.completion',
    created,
    model,
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content, refusal: null },
        logprobs: null,
        ...end,
      },
    ],
    usage: counts.usage(),
  };
}

/** The first chunk has the role, then come the texts, then the reason, then the usage if it was asked for. */
export async function* toChunks(
  completion: Completion,
  { progress, includeUsage }: { progress: AsyncIterable<ChatProgress>; includeUsage: boolean },
): AsyncGenerator<ChatCompletionChunk> {
  const { id, created, model } = completion;
  const counts = createCounts();
  const base = { id, object: 'chat.completion.chunk' as const, created, model };
  const usage = includeUsage ? { usage: null } : {};
  const chunk = (delta: ChatDelta, end?: Ending): ChatCompletionChunk => ({
    ...base,
    choices: [{ index: 0, delta, finish_reason: null, ...end }],
    ...usage,
  });
  yield chunk({ role: 'assistant', content: '' });
  for await (const event of progress) {
    counts.add(event);
    if (event.type === 'text') yield chunk({ content: event.text });
    if (event.type === 'end') yield chunk({}, toEnding(event));
  }
  if (includeUsage) yield { ...base, choices: [], usage: counts.usage() };
}

type Ending = Pick<ChatCompletion['choices'][number], 'finish_reason' | 'stop_detail'>;

function toEnding({ reason, detail }: Extract<ChatProgress, { type: 'end' }>): Ending {
  return { finish_reason: reason, ...(detail && { stop_detail: detail }) };
}

type ChatDelta = ChatCompletionChunk['choices'][number]['delta'];

function createCounts() {
  let promptTokens = 0;
  let cachedTokens = 0;
  let completionTokens = 0;
  return {
    add(event: ChatProgress): void {
      if (event.type === 'prompt') ({ promptTokens, cachedTokens } = event);
      else ({ completionTokens } = event);
      if (event.type === 'end' && event.prompt) ({ promptTokens, cachedTokens } = event.prompt);
    },
    usage: (): Usage => ({
      prompt_tokens: promptTokens,
      completion_tokens: completionTokens,
      total_tokens: promptTokens + completionTokens,
      prompt_tokens_details: { cached_tokens: cachedTokens },
    }),
  };
}
