import type {
  ChatCompletion,
  ChatCompletionChunk,
  Logprobs,
  ToolCallDelta,
  Usage,
} from '../../../src/api/chat/chat.ts';
import type { ChatToolCall } from '../../../src/api/chat/tools.ts';
import type { ChatProgress } from '../../../src/inference/chat.ts';
import type { Logprob, TokenLogprob } from '../../../src/runtime/engine.ts';
import { createCounts, type Counts } from './usage.ts';

/** What a response of OpenAI's chat completions needs besides the events. */
export type Completion = {
  id: string;
  model: string;
  created: number;
  /** The names of the tools that take free text. */
  custom?: ReadonlySet<string>;
  /** Known once the model is. */
  fingerprint?: () => string;
};

export function completionId(requestId: string): string {
  return `chatcmpl-${requestId.replace(/^req_/, '')}`;
}

type Choice = ChatCompletion['choices'][number];

export async function collectCompletion(
  completion: Completion,
  progress: AsyncIterable<ChatProgress>,
): Promise<ChatCompletion> {
  const counts = createCounts();
  const choices: Choice[] = [];
  let debug = {};
  for await (const event of progress) {
    counts.add(event);
    if (event.type === 'prompt') debug = debugOf(event);
    else addTo((choices[event.choice ?? 0] ??= emptyChoice(event.choice ?? 0)), event, completion.custom);
  }
  const { id, created, model } = completion;
  return {
    id,
    object: 'chat.completion',
    created,
    model,
    choices: choices.map(withoutEmptyContent),
    usage: toUsage(counts),
    ...fingerprintOf(completion),
    timings: counts.timings(),
    ...debug,
  };
}

function emptyChoice(index: number): Choice {
  return {
    index,
    message: { role: 'assistant', content: '', refusal: null },
    logprobs: null,
    finish_reason: 'stop',
  };
}

function addTo(
  choice: Choice,
  event: Exclude<ChatProgress, { type: 'prompt' }>,
  custom: Completion['custom'],
): void {
  const { message } = choice;
  if (event.type === 'text') {
    message.content += event.text;
    if (event.logprobs)
      (choice.logprobs ??= toLogprobs([])).content.push(...toLogprobs(event.logprobs).content);
  }
  if (event.type === 'reasoning') message.reasoning_content = (message.reasoning_content ?? '') + event.text;
  if (event.type === 'toolCall') (message.tool_calls ??= []).push(toToolCall(event, custom));
  if (event.type === 'toolArguments') {
    const call = message.tool_calls?.[event.index];
    if (call?.function) call.function.arguments += event.text;
    if (call?.custom) call.custom.input += event.text;
  }
  if (event.type === 'end') Object.assign(choice, toEnding(event));
}

function toToolCall({ id, name }: { id: string; name: string }, custom: Completion['custom']): ChatToolCall {
  if (custom?.has(name)) return { id, type: 'custom', custom: { name, input: '' } };
  return { id, type: 'function', function: { name, arguments: '' } };
}

/** A message with only tool calls has no content. */
function withoutEmptyContent(choice: Choice): Choice {
  const { message } = choice;
  if (!message.tool_calls || message.content !== '') return choice;
  return { ...choice, message: { ...message, content: null } };
}

export type ChunkOptions = { progress: AsyncIterable<ChatProgress>; includeUsage: boolean; choices?: number };

/** The first chunk has the role, followed by the deltas, the finish reason, and the usage if it was requested. */
export async function* toChunks(
  completion: Completion,
  { progress, includeUsage, choices = 1 }: ChunkOptions,
): AsyncGenerator<ChatCompletionChunk> {
  const { id, created, model } = completion;
  const counts = createCounts();
  const base = { id, object: 'chat.completion.chunk' as const, created, model };
  let fingerprint = {};
  const usage = includeUsage ? { usage: null } : {};
  const chunk = (index: number, part: Partial<ChunkChoice>): ChatCompletionChunk => ({
    ...base,
    ...fingerprint,
    choices: [{ index, delta: {}, finish_reason: null, ...part }],
    ...usage,
    ...(part.finish_reason && { timings: counts.timings() }),
  });
  const calls = createCallDeltas(completion.custom);
  let debug = {};
  let isBegun = false;
  const begin = function* () {
    if (isBegun) return;
    isBegun = true;
    fingerprint = fingerprintOf(completion);
    for (let index = 0; index < choices; index++) {
      yield { ...chunk(index, { delta: { role: 'assistant', content: '' } }), ...debug };
      debug = {};
    }
  };
  for await (const event of progress) {
    counts.add(event);
    if (event.type === 'prompt') debug = debugOf(event);
    yield* begin();
    if (event.type !== 'prompt') yield chunk(event.choice ?? 0, toPart(event, calls));
  }
  yield* begin();
  if (includeUsage)
    yield { ...base, ...fingerprint, choices: [], usage: toUsage(counts), timings: counts.timings() };
}

function fingerprintOf({ fingerprint }: Completion) {
  return fingerprint === undefined ? {} : { system_fingerprint: fingerprint() };
}

type ChunkChoice = ChatCompletionChunk['choices'][number];

function toPart(
  event: Exclude<ChatProgress, { type: 'prompt' }>,
  calls: ReturnType<typeof createCallDeltas>,
): Partial<ChunkChoice> {
  switch (event.type) {
    case 'text':
      return {
        delta: { content: event.text },
        ...(event.logprobs && { logprobs: toLogprobs(event.logprobs) }),
      };
    case 'reasoning':
      return { delta: { reasoning_content: event.text } };
    case 'toolCall':
      return { delta: { tool_calls: [calls.begin(event)] } };
    case 'toolArguments':
      return { delta: { tool_calls: [calls.grow(event)] } };
    case 'end':
      return toEnding(event);
  }
}

/** Calls of custom tools have other deltas than function calls. */
function createCallDeltas(custom: Completion['custom']) {
  const customCalls = new Set<string>();
  const placeOf = ({ index, choice = 0 }: { index: number; choice?: number }) => `${choice} ${index}`;
  return {
    begin(event: Extract<ChatProgress, { type: 'toolCall' }>): ToolCallDelta {
      if (custom?.has(event.name)) customCalls.add(placeOf(event));
      return { index: event.index, ...toToolCall(event, custom) };
    },
    grow(event: Extract<ChatProgress, { type: 'toolArguments' }>): ToolCallDelta {
      const { index, text } = event;
      if (customCalls.has(placeOf(event))) return { index, custom: { input: text } };
      return { index, function: { arguments: text } };
    },
  };
}

export function toLogprobs(logprobs: readonly Logprob[]): Logprobs {
  const one = ({ token, logprob, bytes }: TokenLogprob) => ({ token, logprob, bytes: [...bytes] });
  return {
    content: logprobs.map(({ top, ...token }) => ({ ...one(token), top_logprobs: top.map(one) })),
    refusal: null,
  };
}

type Ending = Pick<Choice, 'finish_reason' | 'stop_detail'>;

function toEnding({ reason, detail }: Extract<ChatProgress, { type: 'end' }>): Ending {
  return { finish_reason: reason, ...(detail && { stop_detail: detail }) };
}

function debugOf({ text }: Extract<ChatProgress, { type: 'prompt' }>) {
  return text === undefined ? {} : { debug: { prompt: text } };
}

function toUsage({ now }: Counts): Usage {
  const used = now();
  const { promptTokens, cachedTokens, completionTokens, reasoningTokens } = used;
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
    prompt_tokens_details: { cached_tokens: cachedTokens },
    completion_tokens_details: { reasoning_tokens: reasoningTokens, ...predictions(used) },
  };
}

type Drafted = Pick<ReturnType<Counts['now']>, 'draftedTokens' | 'acceptedTokens'>;

/** OpenAI's names for draft tokens. */
export function predictions({ draftedTokens, acceptedTokens }: Drafted) {
  if (draftedTokens === 0) return {};
  return {
    accepted_prediction_tokens: acceptedTokens,
    rejected_prediction_tokens: draftedTokens - acceptedTokens,
  };
}
