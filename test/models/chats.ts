import type {
  ChatEvent,
  ChatMessage,
  ChatRequest,
  EndReason,
  Sampling,
  Session,
} from '../../src/runtime/engine.ts';

export const GREEDY: Sampling = { temperature: 0, topP: 1, presencePenalty: 0, frequencyPenalty: 0 };

export type Answer = {
  events: ChatEvent[];
  text: string;
  promptTokens: number;
  cachedTokens: number;
  completionTokens: number;
  reason: EndReason | undefined;
};

export function user(content: string): ChatMessage[] {
  return [{ role: 'user', content }];
}

export function chatRequest(request: Partial<ChatRequest> = {}): ChatRequest {
  return { messages: user('Hello'), maxTokens: 1000, stop: [], sampling: GREEDY, ...request };
}

export function startChat(
  session: Pick<Session, 'chat'>,
  request: Partial<ChatRequest> = {},
  signal = never(),
) {
  if (!session.chat) throw new Error('This session can not chat');
  return session.chat(chatRequest(request), signal);
}

export async function ask(
  session: Pick<Session, 'chat'>,
  request: Partial<ChatRequest> = {},
  signal = never(),
): Promise<Answer> {
  const events: ChatEvent[] = [];
  for await (const event of startChat(session, request, signal)) events.push(event);
  return summarize(events);
}

export function countTokens(session: Session, messages: readonly ChatMessage[]): Promise<number> {
  if (!session.countTokens) throw new Error('This session can not count tokens');
  return session.countTokens({ messages }, never());
}

export function summarize(events: ChatEvent[]): Answer {
  const prompt = events.find((event) => event.type === 'prompt');
  const end = events.find((event) => event.type === 'end');
  return {
    events,
    text: events.map((event) => (event.type === 'text' ? event.text : '')).join(''),
    promptTokens: prompt?.promptTokens ?? 0,
    cachedTokens: prompt?.cachedTokens ?? 0,
    completionTokens: end?.completionTokens ?? 0,
    reason: end?.reason,
  };
}

export function never(): AbortSignal {
  return new AbortController().signal;
}
