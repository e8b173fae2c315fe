import { expect } from 'vitest';
import type { ChatEvent, ChatRequest } from '../../../../../src/runtime/engine.ts';
import { ask, user } from '../../../chats.ts';
import type { Chatting } from './eager.ts';

const OTHERS_MAX = 3;
/** Long enough to keep running for as long as the requests beside it. */
const OTHERS_TOKENS = 80;

/** The answer without what differs from run to run. */
export async function said(session: Chatting, request: Partial<ChatRequest>): Promise<ChatEvent[]> {
  const { events } = await ask(session, request);
  return events.map((event) => {
    if (event.type === 'end') return { ...event, drafts: undefined };
    if (event.type === 'toolCall') return { ...event, id: '' };
    return event.type === 'prompt' ? { ...event, cachedTokens: 0 } : event;
  });
}

/** The answers while one, two and three others are evaluated in the same decodes. */
export async function saidBesideOthers(session: Chatting, request: Partial<ChatRequest>): Promise<unknown[]> {
  const answers = [];
  for (let count = 1; count <= OTHERS_MAX; count++) {
    const others = Array.from({ length: count }, (_, index) =>
      ask(session, { messages: user(`Another ${index}`), maxTokens: OTHERS_TOKENS }),
    );
    answers.push(await said(session, request));
    await Promise.all(others);
  }
  return answers;
}

/**
 * Likelihoods are sums whose last digits depend on what is evaluated together, and if two tokens are about equally
 * likely, that decides which of them comes. So an answer that does not occur alone must occur beside others.
 * Everything else is exact.
 */
export async function expectSame(
  found: unknown,
  expected: unknown,
  besides: () => Promise<unknown[]>,
): Promise<void> {
  if (isSame(found, expected)) return;
  const others = await besides();
  if (!others.some((other) => isSame(found, other))) expect(found).toEqual(expected);
}

function isSame(found: unknown, expected: unknown): boolean {
  const [ours, theirs] = [takeApart(found), takeApart(expected)];
  const isNear = ours.likelihoods.every((one, at) => Math.abs(one - (theirs.likelihoods[at] ?? 0)) < 0.01);
  return ours.exact === theirs.exact && isNear;
}

function takeApart(value: unknown) {
  const likelihoods: number[] = [];
  const exact = JSON.stringify(value, (_, inner: unknown) => {
    if (typeof inner !== 'number' || Number.isInteger(inner)) return inner;
    likelihoods.push(inner);
    return 'a likelihood';
  });
  return { exact, likelihoods };
}
