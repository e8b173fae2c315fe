import { Failure } from '../../../src/base/errors.ts';
import type { ChatInput, ChatProgress } from '../../../src/inference/chat.ts';
import type { TaskContext } from '../../../src/inference/items.ts';
import type { ChatMessage, ToolCall } from '../../../src/runtime/engine.ts';
import type { Services } from '../../compose.ts';
import type { HostedEvent, HostedTools } from './hosted-tool.ts';

const ROUNDS_MAX = 10;
const CUTS_MAX = 4;
const CUT_NOTE = '\n[the rest was left out: the context of the model is full]';

type Wanted = { input: ChatInput; hosted: HostedTools | undefined; context: TaskContext };

/** An answer with the tools that run here, if there are any. */
export function complete(
  chat: Services['chat'],
  { input, hosted, context }: Wanted,
): AsyncGenerator<ChatProgress | HostedEvent> {
  if (!hosted) return chat.complete(input, context);
  const suffix = context.requestId.replace(/^req_/, '');
  return answerInRounds({ input, hosted, suffix, complete: inRounds(chat, context) });
}

/** Each round is its own request on the ledger; the first one has the id of the response. */
function inRounds(chat: Services['chat'], context: TaskContext) {
  const { accountId, keyId, client, daemon } = context;
  const later = { accountId, keyId, client, daemon };
  return (input: ChatInput, round: number) =>
    chat.complete(input, round === 1 ? context : { ...later, requestId: `${context.requestId}.r${round}` });
}

type Rounds = {
  input: ChatInput;
  hosted: HostedTools;
  /** Id of the response, from which the ids of items are made. */
  suffix: string;
  complete: (input: ChatInput, round: number) => AsyncGenerator<ChatProgress>;
};

type End = Extract<ChatProgress, { type: 'end' }>;
type Totals = {
  promptTokens: number;
  cachedTokens: number;
  completionTokens: number;
  reasoningTokens: number;
};
type Answer = { text: string; reasoning: string; calls: Map<number, ToolCall>; asksClient: boolean };

/**
 * An answer of a model that calls tools that run here. After each round of calls the model is asked again, until it
 * makes no call or the client must do something. Calls of the client's own tools are passed on.
 */
async function* answerInRounds({
  input: { continues, ...asked },
  hosted,
  suffix,
  complete,
}: Rounds): AsyncGenerator<ChatProgress | HostedEvent, undefined> {
  const messages: ChatMessage[] = [...asked.messages, ...(yield* hosted.begin())];
  const totals: Totals = { promptTokens: 0, cachedTokens: 0, completionTokens: 0, reasoningTokens: 0 };
  let calls = 0;
  for (let round = 1; ; round += 1) {
    const input: ChatInput = { ...asked, messages: [...messages] };
    if (round === 1 && continues && messages.length === asked.messages.length) input.continues = continues;
    if (round > 1) input.toolChoice = round < ROUNDS_MAX ? 'auto' : 'none';
    if (asked.maxTokens !== undefined) input.maxTokens = asked.maxTokens - totals.completionTokens;
    const answer: Answer = { text: '', reasoning: '', calls: new Map(), asksClient: false };
    const given = round === 1 ? messages.length : asked.messages.length;
    const end = yield* oneRound(
      { hosted, answer, totals },
      inContext(input, given, (each) => complete(each, round)),
    );
    if (end === undefined) return;
    const isWhole = end.reason === 'stop' || end.reason === 'tool_calls';
    if (answer.calls.size === 0 || !isWhole) {
      yield end;
      return;
    }
    messages.push(toMessage(answer));
    let isMissing = answer.asksClient;
    for (const call of answer.calls.values()) {
      const tool = hosted.tools.get(call.name);
      const result = yield* tool?.run({ ...call, suffix: `${suffix}_h${(calls += 1)}` }) ?? noResult();
      isMissing ||= result === undefined;
      messages.push({ role: 'tool', toolCallId: call.id, content: result ?? '' });
    }
    const isOver = asked.maxTokens !== undefined && totals.completionTokens >= asked.maxTokens;
    if (isMissing || isOver) {
      yield isMissing ? end : { ...end, reason: 'length' };
      return;
    }
  }
}

// eslint-disable-next-line require-yield -- stands in for a tool that does nothing
async function* noResult(): AsyncGenerator<HostedEvent, undefined> {
  return undefined;
}

/** Passes on what the client sees, and keeps the calls of tools that run here. */
async function* oneRound(
  { hosted, answer, totals }: { hosted: HostedTools; answer: Answer; totals: Totals },
  events: AsyncGenerator<ChatProgress>,
): AsyncGenerator<ChatProgress, End | undefined> {
  const before = { ...totals };
  for await (const event of events) {
    if (event.type === 'prompt') {
      totals.promptTokens = before.promptTokens + event.promptTokens;
      totals.cachedTokens = before.cachedTokens + event.cachedTokens;
      yield { ...event, promptTokens: totals.promptTokens, cachedTokens: totals.cachedTokens };
      continue;
    }
    totals.completionTokens = before.completionTokens + event.completionTokens;
    if (event.type === 'end') return endOf(event, totals, before);
    if (!isKept(event, hosted, answer)) yield { ...event, completionTokens: totals.completionTokens };
  }
  return undefined;
}

function isKept(
  event: Exclude<ChatProgress, { type: 'prompt' | 'end' }>,
  hosted: HostedTools,
  answer: Answer,
) {
  if (event.type === 'text') answer.text += event.text;
  else if (event.type === 'reasoning') answer.reasoning += event.text;
  else if (event.type === 'toolCall' && hosted.tools.has(event.name)) {
    const { id, name, index } = event;
    answer.calls.set(index, { id, name, arguments: '' });
    return true;
  } else if (event.type === 'toolCall') answer.asksClient = true;
  else {
    const call = answer.calls.get(event.index);
    if (call) answer.calls.set(event.index, { ...call, arguments: call.arguments + event.text });
    return call !== undefined;
  }
  return false;
}

function endOf(event: End, totals: Totals, before: Totals): End {
  const { reasoningTokens = 0, prompt } = event;
  totals.reasoningTokens = before.reasoningTokens + reasoningTokens;
  if (prompt) {
    totals.promptTokens = before.promptTokens + prompt.promptTokens;
    totals.cachedTokens = before.cachedTokens + prompt.cachedTokens;
  }
  return { ...event, ...totals, prompt: { ...totals } };
}

function toMessage({ text, reasoning, calls }: Answer): ChatMessage {
  return {
    role: 'assistant',
    content: text,
    ...(reasoning && { reasoning }),
    toolCalls: [...calls.values()],
  };
}

/** Tool results are truncated until they fit in the context; what the client sent is not. */
async function* inContext(
  input: ChatInput,
  given: number,
  complete: (input: ChatInput) => AsyncGenerator<ChatProgress>,
): AsyncGenerator<ChatProgress> {
  let current = input;
  for (let cuts = 0; ; cuts += 1) {
    const events = complete(current);
    try {
      const first = await events.next();
      if (!first.done) yield first.value;
    } catch (error) {
      const isFull = error instanceof Failure && error.code === 'context_length_exceeded';
      if (!isFull || cuts === CUTS_MAX || current.messages.length === given) throw error;
      current = { ...current, messages: current.messages.map((each, at) => (at < given ? each : cut(each))) };
      continue;
    }
    yield* events;
    return;
  }
}

function cut(message: ChatMessage): ChatMessage {
  if (message.role !== 'tool') return message;
  const text = message.content.replace(CUT_NOTE, '');
  return { ...message, content: text.slice(0, Math.floor(text.length / 2)) + CUT_NOTE };
}
