import type { ChatPrompt, ChatRequest, EndReason } from '../../runtime/engine.ts';
import type { Subject } from '../step.ts';

export type Answer = {
  /** The prompt as the template rendered it, if requested. */
  prompt: string;
  cachedTokens: number;
  text: string;
  reasoning: string;
  calls: { name: string; arguments: string }[];
  logprobs: number[];
  reason: EndReason;
  completionTokens: number;
  seconds: number;
  /** From the first token to the last. */
  decodeSeconds: number;
};

export type Wanted = ChatPrompt & Partial<Pick<ChatRequest, 'maxTokens' | 'showPrompt' | 'logprobs'>>;

/** The most probable answer. Models that reason are told not to, so that it takes seconds. */
export function ask(
  subject: Pick<Subject, 'withSlot'>,
  wanted: Wanted,
  signal: AbortSignal,
): Promise<Answer> {
  const request: ChatRequest = {
    reasoning: { effort: 'none' },
    stop: [],
    sampling: { temperature: 0, topP: 1, presencePenalty: 0, frequencyPenalty: 0, seed: 1 },
    maxTokens: 64,
    ...wanted,
  };
  return subject.withSlot(async (runner) => {
    if (!runner.chat) throw new Error('The model does not chat');
    return collect(runner.chat(request, signal), signal);
  }, signal);
}

async function collect(
  events: ReturnType<NonNullable<Subject['runner']['chat']>>,
  signal: AbortSignal,
): Promise<Answer> {
  const startedAt = performance.now();
  const answer: Answer = {
    ...{ prompt: '', cachedTokens: 0, text: '', reasoning: '', calls: [], logprobs: [] },
    ...{ reason: 'abort', completionTokens: 0, seconds: 0, decodeSeconds: 0 },
  };
  let firstAt = 0;
  for await (const event of events) {
    if (event.type !== 'prompt' && event.type !== 'end') firstAt ||= performance.now();
    if (event.type === 'prompt') {
      answer.prompt = event.text ?? '';
      answer.cachedTokens = event.cachedTokens;
    } else if (event.type === 'text') {
      answer.text += event.text;
      answer.logprobs.push(...(event.logprobs ?? []).map(({ logprob }) => logprob));
    } else if (event.type === 'reasoning') answer.reasoning += event.text;
    else if (event.type === 'toolCall') answer.calls[event.index] = { name: event.name, arguments: '' };
    else if (event.type === 'toolArguments') {
      const call = answer.calls[event.index];
      if (call) call.arguments += event.text;
    } else {
      answer.reason = event.reason;
      answer.completionTokens = event.completionTokens;
    }
  }
  signal.throwIfAborted();
  const endedAt = performance.now();
  answer.seconds = (endedAt - startedAt) / 1000;
  answer.decodeSeconds = firstAt === 0 ? 0 : (endedAt - firstAt) / 1000;
  return answer;
}

export function userSays(content: string): Pick<ChatPrompt, 'messages'> {
  return { messages: [{ role: 'user', content }] };
}

/** The model is for conversations, and its runner supports them. */
export function chats({ runner, manifest }: Subject): boolean {
  return runner.chat !== undefined && manifest.tasks.includes('chat');
}
