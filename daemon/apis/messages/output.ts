import { createHash } from 'node:crypto';
import type {
  AnswerBlock,
  MessageAnswer,
  MessageEvent,
  MessagesUsage,
  StopReason,
} from '../../../src/api/chat/messages.ts';
import type { ChatProgress } from '../../../src/inference/chat.ts';
import { createCounts } from '../chat/usage.ts';
import type { HostedEvent } from '../hosted/hosted-tool.ts';
import { toChange } from './mcp-blocks.ts';

export type Answering = {
  id: string;
  model: string;
  /** The maximum length of the answer, as far as the context has room. */
  maxTokens: number;
};

type Progress = AsyncIterable<ChatProgress | HostedEvent>;

export function messageId(requestId: string): string {
  return `msg_${requestId.replace(/^req_/, '')}`;
}

/** The complete message, put together from the events of the stream. */
export async function collectMessage(answering: Answering, progress: Progress): Promise<MessageAnswer> {
  let answer = emptyAnswer(answering);
  const content: AnswerBlock[] = [];
  const inputs: string[] = [];
  for await (const event of toMessageEvents(answering, progress)) {
    const { index = 0 } = event;
    if (event.type === 'message_start') answer = event.message ?? answer;
    if (event.type === 'content_block_start' && event.content_block) content[index] = event.content_block;
    if (event.type === 'content_block_delta')
      addTo(content[index], event.delta ?? {}, (json) => (inputs[index] = (inputs[index] ?? '') + json));
    if (event.type === 'message_delta') Object.assign(answer, event.delta, { usage: event.usage });
  }
  for (const [index, block] of content.entries()) {
    if (CALLS.includes(block.type))
      block.input = JSON.parse(inputs[index] || '{}') as Record<string, unknown>;
  }
  return { ...answer, content };
}

const CALLS: readonly AnswerBlock['type'][] = ['tool_use', 'mcp_tool_use'];

function addTo(
  block: AnswerBlock | undefined,
  delta: Record<string, unknown>,
  addInput: (json: string) => void,
): void {
  const { text, thinking, signature, partial_json: json } = delta;
  if (block && typeof text === 'string') block.text = (block.text ?? '') + text;
  if (block && typeof thinking === 'string') block.thinking = (block.thinking ?? '') + thinking;
  if (block && typeof signature === 'string') block.signature = signature;
  if (typeof json === 'string') addInput(json);
}

/** One block after another, each started, filled and stopped; then the stop reason and the usage. */
export async function* toMessageEvents(
  answering: Answering,
  progress: Progress,
): AsyncGenerator<MessageEvent> {
  const counts = createCounts();
  let isBegun = false;
  let index = -1;
  let open: string | undefined;
  let thoughts = '';
  let ending: Ending = { stop_reason: 'end_turn', stop_sequence: null };

  function* begin(): Generator<MessageEvent> {
    if (isBegun) return;
    isBegun = true;
    yield { type: 'message_start', message: { ...emptyAnswer(answering), usage: usageOf(counts) } };
    yield { type: 'ping' };
  }

  function* close(): Generator<MessageEvent> {
    if (open === undefined) return;
    if (open === 'thinking')
      yield delta(index, { type: 'signature_delta', signature: signatureOf(thoughts) });
    open = undefined;
    thoughts = '';
    yield { type: 'content_block_stop', index };
  }

  function* enter(kind: string, block: AnswerBlock): Generator<MessageEvent> {
    if (open === kind) return;
    yield* close();
    open = kind;
    index += 1;
    yield { type: 'content_block_start', index, content_block: block };
  }

  for await (const event of progress) {
    if (event.type === 'hosted') {
      const { block, json, isWhole } = toChange(event);
      if (block) yield* enter(`${block.type} ${event.item.id}`, block);
      if (json !== undefined) yield delta(index, { type: 'input_json_delta', partial_json: json });
      if (isWhole) yield* close();
      continue;
    }
    counts.add(event);
    yield* begin();
    if (event.type === 'text') {
      yield* enter('text', { type: 'text', text: '' });
      yield delta(index, { type: 'text_delta', text: event.text });
    }
    if (event.type === 'reasoning') {
      yield* enter('thinking', { type: 'thinking', thinking: '', signature: '' });
      thoughts += event.text;
      yield delta(index, { type: 'thinking_delta', thinking: event.text });
    }
    if (event.type === 'toolCall') {
      const { id, name } = event;
      yield* enter(`call ${event.index}`, { type: 'tool_use', id, name, input: {} });
    }
    if (event.type === 'toolArguments') {
      yield delta(index, { type: 'input_json_delta', partial_json: event.text });
    }
    if (event.type === 'end') ending = toEnding(event, answering);
  }
  yield* begin();
  yield* close();
  yield { type: 'message_delta', delta: ending, usage: usageOf(counts) };
  yield { type: 'message_stop' };
}

/** Clients store signed reasoning and send it back. Our signature protects nothing. */
function signatureOf(thoughts: string): string {
  return createHash('sha256').update(thoughts).digest('base64');
}

function delta(index: number, change: Record<string, unknown>): MessageEvent {
  return { type: 'content_block_delta', index, delta: change };
}

type Ending = { stop_reason: StopReason; stop_sequence: string | null };

function toEnding(
  { reason, stopText, completionTokens }: Extract<ChatProgress, { type: 'end' }>,
  { maxTokens }: Answering,
): Ending {
  if (stopText !== undefined) return { stop_reason: 'stop_sequence', stop_sequence: stopText };
  if (reason === 'length' && completionTokens < maxTokens)
    return { stop_reason: 'model_context_window_exceeded', stop_sequence: null };
  return { stop_reason: REASONS[reason], stop_sequence: null };
}

const REASONS: Record<Extract<ChatProgress, { type: 'end' }>['reason'], StopReason> = {
  stop: 'end_turn',
  length: 'max_tokens',
  tool_calls: 'tool_use',
  content_filter: 'refusal',
};

function emptyAnswer({ id, model }: Answering): MessageAnswer {
  return {
    id,
    type: 'message',
    role: 'assistant',
    model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: 0, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 0 },
  };
}

function usageOf(counts: ReturnType<typeof createCounts>): MessagesUsage {
  const { promptTokens, cachedTokens, completionTokens, reasoningTokens } = counts.now();
  return {
    input_tokens: promptTokens - cachedTokens,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: cachedTokens,
    output_tokens: completionTokens,
    ...(reasoningTokens > 0 && { output_tokens_details: { thinking_tokens: reasoningTokens } }),
  };
}
