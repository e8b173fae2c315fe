import type {
  ChatCompletionChunk,
  ChatCompletionRequest,
  FinishReason,
  ToolCallDelta,
  Usage,
} from '../../src/api/chat/chat.ts';
import type { ChatToolCall } from '../../src/api/chat/tools.ts';
import { Failure } from '../../src/base/errors.ts';
import type { Client } from '../client/client.ts';
import type { Output } from '../output/output.ts';

export type Reply = {
  model: string;
  /** For a streamed reply: the id under which the daemon recorded it. */
  requestId?: string;
  content: string;
  reasoning: string;
  /** The rendered prompt, if requested. */
  prompt?: string;
  /** The tools that the model wants to call before it continues. */
  toolCalls: ChatToolCall[];
  finishReason: FinishReason | null;
  usage: Usage | null;
  stats: ReplyStats;
  /** Why the reply is incomplete. What arrived before is kept. */
  failure?: Error;
};

export type ReplyStats = {
  first_token_ms: number | null;
  total_ms: number;
  tokens_per_second: number | null;
};

type ReplyOptions = {
  stream: boolean;
  onText: (text: string) => void;
  /** Called with each piece of the reasoning. */
  onThought?: (thought: string) => void;
  /** Requests the rendered prompt, and receives it. */
  onPrompt?: (prompt: string) => void;
  signal?: AbortSignal;
  maxRetries?: number;
};

/** Receives a reply. Also resolves if it is interrupted, with what has arrived. */
export async function receiveReply(
  client: Client,
  request: ChatCompletionRequest,
  options: ReplyOptions,
): Promise<Reply> {
  const reply: Reply = emptyReply(request.model);
  const startedAt = performance.now();
  let firstAt: number | undefined;
  const onToken = () => void (firstAt ??= performance.now());
  const onText = (text: string) => {
    reply.content += text;
    options.onText(text);
  };
  const receiving = { ...options, onText, onToken };
  try {
    await (options.stream ? readStream : readWhole)(client, request, receiving, reply);
  } catch (thrown) {
    reply.failure = thrown instanceof Error ? thrown : new Error(String(thrown));
  }
  reply.stats = measure(startedAt, firstAt, reply.usage);
  return reply;
}

async function readStream(
  client: Client,
  request: ChatCompletionRequest,
  options: ReplyOptions & { onToken: () => void },
  reply: Reply,
): Promise<void> {
  for await (const chunk of readChunks(client, request, options, reply)) {
    const [choice] = chunk.choices;
    const { content, reasoning_content: thought, tool_calls: calls } = choice?.delta ?? {};
    if (content || thought || calls) options.onToken();
    reply.model = chunk.model;
    reply.finishReason = choice?.finish_reason ?? reply.finishReason;
    reply.usage = chunk.usage ?? reply.usage;
    takePrompt(chunk, options, reply);
    reply.reasoning += thought ?? '';
    addCalls(reply.toolCalls, calls ?? []);
    if (thought) options.onThought?.(thought);
    if (content) options.onText(content);
  }
}

async function readWhole(
  client: Client,
  request: ChatCompletionRequest,
  options: ReplyOptions,
  reply: Reply,
): Promise<void> {
  const completion = await client.chat(request, optionsOf(options));
  const { model, choices, usage } = completion;
  const [choice] = choices;
  takePrompt(completion, options, reply);
  reply.reasoning = choice?.message.reasoning_content ?? '';
  reply.toolCalls = choice?.message.tool_calls ?? [];
  Object.assign(reply, { model, usage, finishReason: choice?.finish_reason ?? null });
  if (choice) options.onText(choice.message.content ?? '');
}

/** The first piece of a call has its id and name; the others add to its arguments. */
function addCalls(calls: ChatToolCall[], deltas: readonly ToolCallDelta[]): void {
  for (const { index, id, function: piece } of deltas) {
    const call = (calls[index] ??= { id: id ?? '', type: 'function', function: { name: '', arguments: '' } });
    if (!call.function) continue;
    call.function.name += piece?.name ?? '';
    call.function.arguments += piece?.arguments ?? '';
  }
}

function takePrompt(
  { debug }: Pick<ChatCompletionChunk, 'debug'>,
  options: ReplyOptions,
  reply: Reply,
): void {
  if (!debug) return;
  reply.prompt = debug.prompt;
  options.onPrompt?.(debug.prompt);
}

function optionsOf({ signal, maxRetries, onPrompt }: ReplyOptions) {
  return {
    ...(signal && { signal }),
    ...(maxRetries !== undefined && { maxRetries }),
    ...(onPrompt && { showPrompt: true }),
  };
}

async function* readChunks(
  client: Client,
  request: ChatCompletionRequest,
  options: ReplyOptions,
  reply: Reply,
) {
  const { headers, events, isWhole } = await client.openChat(request, optionsOf(options));
  const id = headers.get('x-request-id');
  if (id !== null) reply.requestId = id;
  yield* events;
  if (isWhole()) return;
  throw new Failure('daemon_unreachable', 'The connection closed before the reply was complete.', {
    details: { fix: 'try again; askd logs shows the reason' },
  });
}

function emptyReply(model: string): Reply {
  const stats = { first_token_ms: null, total_ms: 0, tokens_per_second: null };
  return { model, content: '', reasoning: '', toolCalls: [], finishReason: null, usage: null, stats };
}

/** Tokens per second of decoding, without the wait for the first token if that is known. */
function measure(startedAt: number, firstAt: number | undefined, usage: Usage | null): ReplyStats {
  const endedAt = performance.now();
  const tokens = (usage?.completion_tokens ?? 0) - (firstAt === undefined ? 0 : 1);
  const seconds = (endedAt - (firstAt ?? startedAt)) / 1000;
  return {
    first_token_ms: firstAt === undefined ? null : Math.round(firstAt - startedAt),
    total_ms: Math.round(endedAt - startedAt),
    tokens_per_second: tokens > 0 && seconds > 0 ? Math.round((tokens / seconds) * 10) / 10 : null,
  };
}

/** Tells a waiting user the reason, once. */
export function printOnce({ note }: Pick<Output, 'note'>): () => void {
  let isPrinted = false;
  return () => {
    if (!isPrinted) note('thinking…');
    isPrinted = true;
  };
}

export function describeStats({ usage, stats }: Reply): string {
  const parts = [
    usage &&
      `${usage.prompt_tokens} tokens in (${usage.prompt_tokens_details.cached_tokens} cached), ${usage.completion_tokens} out`,
    stats.first_token_ms !== null && `first token after ${stats.first_token_ms} ms`,
    `${(stats.total_ms / 1000).toFixed(1)} s`,
    stats.tokens_per_second !== null && `${stats.tokens_per_second} tokens/s`,
  ];
  return parts.filter(Boolean).join(' · ');
}
