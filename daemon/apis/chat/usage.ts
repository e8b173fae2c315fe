import type { ChatProgress } from '../../../src/inference/chat.ts';
import { toTimings, type Times } from './timings.ts';

export type Counts = ReturnType<typeof createCounts>;

/** Sums up the usage of an answer, event by event. */
export function createCounts() {
  let promptTokens = 0;
  let cachedTokens = 0;
  let completionTokens = 0;
  let reasoningTokens = 0;
  let draftedTokens = 0;
  let acceptedTokens = 0;
  const times: Times = { began: undefined, first: undefined, last: undefined };
  return {
    add(event: ChatProgress): void {
      if (event.type === 'prompt') times.began ??= performance.now();
      else times.first ??= performance.now();
      if (event.type === 'end') times.last = performance.now();
      if (event.type === 'prompt') ({ promptTokens, cachedTokens } = event);
      else ({ completionTokens } = event);
      if (event.type !== 'end') return;
      reasoningTokens += event.reasoningTokens ?? 0;
      draftedTokens += event.drafts?.drafted ?? 0;
      acceptedTokens += event.drafts?.accepted ?? 0;
      if (event.prompt) ({ promptTokens, cachedTokens } = event.prompt);
    },
    timings: () => toTimings({ promptTokens, cachedTokens, completionTokens }, times),
    now: () => ({
      promptTokens,
      cachedTokens,
      completionTokens,
      reasoningTokens,
      draftedTokens,
      acceptedTokens,
    }),
  };
}
