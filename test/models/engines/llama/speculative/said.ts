import { expect } from 'vitest';
import type { ChatEvent, ChatRequest } from '../../../../../src/runtime/engine.ts';
import { ask } from '../../../chats.ts';
import type { Chatting } from './eager.ts';

/** Measured: 1 of 200. A cache or a sampler that is wrong changes nearly all of them. */
const DIFFERENT_SHARE_MAX = 0.15;
const LIKELIHOOD_ERROR_MAX = 0.004;

/** The answer without what differs from run to run. */
export async function said(session: Chatting, request: Partial<ChatRequest>): Promise<ChatEvent[]> {
  const { events } = await ask(session, request);
  return events.map((event) => {
    if (event.type === 'end') return { ...event, drafts: undefined };
    if (event.type === 'toolCall') return { ...event, id: '' };
    return event.type === 'prompt' ? { ...event, cachedTokens: 0 } : event;
  });
}

/**
 * Likelihoods are sums whose last digits depend on what is evaluated together, and now and then that decides which of
 * two tokens is drawn. From there on the answers have nothing in common. So a few may differ, if the likelihoods of
 * everything before, and of the best tokens where they part, are the same.
 */
export function createComparison() {
  const counts = { compared: 0, different: 0 };
  return {
    compare: (found: readonly ChatEvent[], expected: readonly ChatEvent[]): void => {
      counts.compared++;
      const ours = found.map(takeApart);
      const theirs = expected.map(takeApart);
      const parting = ours.findIndex(({ exact }, at) => exact !== theirs[at]?.exact);
      const isSame = parting === -1 && ours.length === theirs.length;
      if (!isSame) counts.different++;
      const compared = parting === -1 ? ours.length : parting;
      for (let at = 0; at < compared; at++) {
        expect(theirs[at]?.likelihoods.length).toBe(ours[at]?.likelihoods.length);
        expectNear(ours[at]?.likelihoods, theirs[at]?.likelihoods);
      }
      if (!isSame) expectNear(ours[compared]?.best, theirs[compared]?.best);
    },
    expectFewDifferent: () => {
      expect(counts.different / counts.compared).toBeLessThan(DIFFERENT_SHARE_MAX);
    },
  };
}

/** As far as both have any: where answers part, one may have ended. */
function expectNear(found: readonly number[] = [], expected: readonly number[] = []): void {
  for (const [at, likelihood] of found.entries())
    expect(Math.abs(likelihood - (expected[at] ?? likelihood))).toBeLessThan(LIKELIHOOD_ERROR_MAX);
}

function takeApart(event: ChatEvent) {
  const logprobs = event.type === 'text' ? (event.logprobs ?? []) : [];
  const best = (logprobs[0]?.top ?? []).map(({ logprob }) => logprob);
  const likelihoods = logprobs.flatMap(({ logprob, top = [] }) => [
    logprob,
    ...top.map((one) => one.logprob),
  ]);
  const exact = JSON.stringify({
    ...event,
    logprobs: logprobs.map(({ token, bytes }) => ({ token, bytes })),
  });
  return { exact, best, likelihoods };
}
