import { Agent } from 'node:http';
import { anySignal } from '../../../src/base/any-signal.ts';
import { openStream, type ChatTarget, type Chunk, type Message } from '../overhead/chat-client.ts';
import type { Timing } from '../overhead/timing.ts';

/** `drafted` tokens were proposed, and `accepted` of them kept. */
export type Reply = Timing & { text: string; promptTokens: number; drafted: number; accepted: number };

export type Ask = (
  messages: readonly Message[],
  options: {
    maxTokens: number;
    temperature?: number;
    format?: object;
    signal?: AbortSignal;
    onText?: () => void;
  },
) => Promise<Reply>;

const DEADLINE_MS = 300_000;

/** One client of a server: sends requests and records when each piece of the answer arrives. */
export function createClient(target: ChatTarget): { ask: Ask; close: () => void } {
  // llama-server closes a connection after a few idle seconds, just when the next request takes it.
  const agent = new Agent({ keepAlive: false });
  const ask: Ask = async (messages, { signal, onText = () => {}, ...wanted }) => {
    const startedAt = performance.now();
    const reply: Reply = { text: '', arrivalsMs: [], tokens: 0, promptTokens: 0, drafted: 0, accepted: 0 };
    const deadline = AbortSignal.timeout(DEADLINE_MS);
    const until = signal ? anySignal(signal, deadline) : deadline;
    try {
      for await (const chunk of openStream({ ...target, ...wanted, agent, messages, signal: until })) {
        if (chunk.error !== undefined) throw new Error(chunk.error.message);
        const text = chunk.choices?.[0]?.delta?.content;
        if (text) {
          reply.text += text;
          reply.arrivalsMs.push(performance.now() - startedAt);
          onText();
        }
        if (chunk.usage) takeUsage(reply, chunk.usage);
      }
    } catch (error) {
      if (!signal?.aborted) throw error;
    }
    return reply;
  };
  return { ask, close: () => agent.destroy() };
}

function takeUsage(reply: Reply, usage: NonNullable<Chunk['usage']>): void {
  reply.tokens = usage.completion_tokens;
  reply.promptTokens = usage.prompt_tokens;
  const { accepted_prediction_tokens: right = 0, rejected_prediction_tokens: wrong = 0 } =
    usage.completion_tokens_details ?? {};
  reply.accepted = right;
  reply.drafted = right + wrong;
}

export const user = (content: string): Message => ({ role: 'user', content });
