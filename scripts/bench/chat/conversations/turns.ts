import type { Message } from '../../overhead/chat-client.ts';
import { median } from '../../overhead/timing.ts';
import { user, type Ask } from '../client.ts';

/** How many conversations, and tokens of each, of a system prompt that helpers share, and of one more turn. */
export type Size = { conversations: number; own: number; system: number; helper: number; turn: number };
export const FULL: Size = { conversations: 10, own: 1800, system: 3000, helper: 600, turn: 80 };
export const QUICK: Size = { conversations: 6, own: 350, system: 400, helper: 300, turn: 80 };

export type Kind = { name: string; beginnings: readonly (readonly Message[])[] };

const HELPERS = 5;
const ANSWER_TOKENS = 16;

export function strangersOf({ conversations, own }: Size): Kind {
  const beginnings = Array.from({ length: conversations }, (_, place) => [
    user(textOf(own, `person ${place}`)),
  ]);
  return { name: `${conversations} conversations of ${own} tokens`, beginnings };
}

/** An agent and its helpers, which do different things after the same instructions. */
export function helpersOf({ system, helper }: Size): Kind {
  const instructions: Message = { role: 'system', content: textOf(system, 'instructions') };
  const beginnings = Array.from({ length: HELPERS + 1 }, (_, place) => [
    instructions,
    user(textOf(helper, `helper ${place}`)),
  ]);
  return { name: `an agent with ${HELPERS} helpers behind ${system} tokens`, beginnings };
}

export type Conversations = { nextTurn(): Promise<number> };

/** All of them take their first turn. */
export async function beginConversations(ask: Ask, { beginnings }: Kind): Promise<Conversations> {
  const conversations: (readonly Message[])[] = [];
  for (const beginning of beginnings) conversations.push((await goOn(ask, beginning)).messages);
  return {
    /** All take one more, one after another; the median time to first token. */
    async nextTurn() {
      const firstTokens: number[] = [];
      for (const [place, messages] of conversations.entries()) {
        const next = await goOn(ask, [...messages, user('And then?')]);
        conversations[place] = next.messages;
        firstTokens.push(next.firstTokenMs);
      }
      return median(firstTokens);
    },
  };
}

async function goOn(ask: Ask, messages: readonly Message[]) {
  const { text, arrivalsMs } = await ask(messages, { maxTokens: ANSWER_TOKENS });
  const answer: Message = { role: 'assistant', content: text };
  return { messages: [...messages, answer], firstTokenMs: arrivalsMs[0] ?? Number.NaN };
}

/** The model's tokens are bytes; the differences come first. */
export function textOf(tokens: number, difference: string): string {
  return `${difference}:${' and so on'.repeat(Math.ceil(tokens / 10))}`.slice(0, tokens);
}
