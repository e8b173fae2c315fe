import type { LlamaContextSequence, Token } from 'node-llama-cpp';
import { tokensToKeep } from '../scheduling/prefill-pace.ts';
import { sourceFor } from './choose-slot.ts';
import { copyPrefix, COPY_TOKENS_MIN, type SavedPrompts } from './prefix-copy.ts';
import type { Job, Slot } from '../scheduling/slot.ts';

export type View = ReturnType<typeof viewOf>;

type Prefixes = {
  views: readonly View[];
  prompt: readonly Token[];
  copyTokens: number;
  tileTokens: number;
  savedPrompts: SavedPrompts | undefined;
};

/**
 * Keeps the part of the sequence that the prompt starts with, or copies it from the slot that shares most; true for a
 * copy.
 */
export async function reusePrefix({ sequence }: Slot, prefixes: Prefixes): Promise<boolean> {
  const { prompt, copyTokens, tileTokens, savedPrompts } = prefixes;
  const views = prefixes.views.map((view) => ({ ...view, comingTokens: 0 }));
  const own = views.find(({ slot }) => slot.sequence === sequence);
  const source = own && sourceFor(own, views, copyTokens);
  // At least the last token is evaluated: its logits give the first generated token.
  const wanted = prompt.slice(0, -1);
  const saved = savedPrompts?.find(wanted);
  const held = Math.max(own?.sharedTokens ?? 0, source?.sharedTokens ?? 0);
  const isOnDisk = saved !== undefined && saved.tokens - held > COPY_TOKENS_MIN;
  if (isOnDisk) await saved.load(sequence);
  else if (source) await copyPrefix(sequence, source.slot.sequence, source.sharedTokens);
  await sequence.adaptStateToTokens(wanted, false);
  if (!sequence.needsCheckpoints) await dropUneconomical(sequence, prompt.length, tileTokens);
  return !isOnDisk && source !== undefined;
}

/** Drops what is faster to prefill together with the rest. */
async function dropUneconomical(sequence: LlamaContextSequence, promptTokens: number, tileTokens: number) {
  const held = sequence.nextTokenIndex;
  const start = tokensToKeep({ tokens: promptTokens, held }, tileTokens);
  if (start < held) await sequence.eraseContextTokenRanges([{ start, end: held }]);
}

export function viewOf(slot: Slot, slots: readonly Slot[], prompt: readonly Token[]) {
  const { sequence, lastUse, job } = slot;
  const index = slots.indexOf(slot);
  const shared = sequence.compareContextTokens(prompt as Token[]).firstDifferentIndex;
  // The last token of a prompt is always evaluated.
  const sharedTokens = Math.min(shared, prompt.length - 1);
  return {
    slot,
    isBusy: job !== undefined,
    lastUse,
    cachedTokens: sequence.nextTokenIndex,
    sharedTokens,
    comingTokens: job ? Math.max(sharedTokens, commonLength(job.work.prompt, prompt)) : 0,
    busyAdjacent: [slots[index - 1], slots[index + 1]].filter((adjacent) => adjacent?.job).length,
  };
}

/** Without the last token of either, which is evaluated together with what follows. */
function commonLength(a: readonly Token[], b: readonly Token[]): number {
  const length = Math.min(a.length, b.length) - 1;
  for (let index = 0; index < length; index++) if (a[index] !== b[index]) return index;
  return Math.max(0, length);
}

/** Whether another request is prefilling the same prefix: it is prefilled once and then copied. */
export function isBeingPrefilled(
  { work, waitsForPrefix }: Job,
  { views, copyTokens, savedPrompts }: Pick<Prefixes, 'views' | 'copyTokens' | 'savedPrompts'>,
): boolean {
  const saved = savedPrompts?.find(work.prompt)?.tokens ?? 0;
  const held = Math.max(saved, ...views.map(({ sharedTokens }) => sharedTokens));
  const prefilling = views.filter(({ slot }) => slot.job?.generation);
  const coming = Math.max(0, ...prefilling.map(({ comingTokens }) => comingTokens));
  return coming - held > (waitsForPrefix ? 0 : copyTokens);
}
