import type { LlamaContextSequence, Token } from 'node-llama-cpp';
import { tokensToKeep } from '../scheduling/prefill-pace.ts';
import { reachableTokens } from './checkpoints.ts';
import { sourceFor } from './choose-slot.ts';
import { copyPrefix, COPY_TOKENS_MIN, type SavedPrompts } from './prefix-copy.ts';
import { sharedLength } from './prompt-cache.ts';
import type { PromptKeeper } from './prompt-keeper.ts';
import { standsStill, type Job, type Slot, type Work } from '../scheduling/slot.ts';

export type View = ReturnType<typeof viewOf>;

/** Where a prompt may find its prefix. */
type Prefixes = {
  views: readonly View[];
  copyTokens: number;
  savedPrompts: SavedPrompts | undefined;
  promptKeeper: PromptKeeper;
};

type Asking = Pick<Work, 'prompt' | 'cacheSalt'>;

/**
 * Keeps the part of the sequence that the prompt starts with, or gets the longest prefix from another slot, from the
 * prompt cache or from a file; true for a copy of another slot.
 */
export async function reusePrefix(
  slot: Slot,
  { prompt, cacheSalt: salt }: Asking,
  { views, copyTokens, tileTokens, savedPrompts, promptKeeper }: Prefixes & { tileTokens: number },
): Promise<boolean> {
  const { sequence } = slot;
  const now = views.map((view) => ({ ...view, comingTokens: 0 }));
  const own = now.find((view) => view.slot === slot);
  const source = own && sourceFor(own, now, copyTokens);
  // At least the last token is evaluated, since its logits give the first generated token.
  const wanted = prompt.slice(0, -1);
  const held = Math.max(own?.sharedTokens ?? 0, source?.sharedTokens ?? 0);
  const saved = savedPrompts?.find(wanted);
  const isOnDisk = saved !== undefined && saved.tokens - held > COPY_TOKENS_MIN;
  const cached = promptKeeper.find({ prompt: wanted, salt }, isOnDisk ? saved.tokens : held);
  promptKeeper.hold(cached);
  await promptKeeper.keep(slot, { prompt, salt });
  slot.content = { salt, promptTokens: prompt.length };
  if (cached) await promptKeeper.restore(cached, sequence);
  else if (isOnDisk) await saved.load(sequence);
  else if (source) await copyPrefix(sequence, source.slot.sequence, source.sharedTokens);
  else if (!own?.sharedTokens) await sequence.clearHistory();
  promptKeeper.hold(undefined);
  await sequence.adaptStateToTokens(wanted, false);
  if (!sequence.needsCheckpoints) await dropUneconomical(sequence, prompt.length, tileTokens);
  return !cached && !isOnDisk && source !== undefined;
}

/** Drops the part that is faster to prefill together with the rest. */
async function dropUneconomical(sequence: LlamaContextSequence, promptTokens: number, tileTokens: number) {
  const held = sequence.nextTokenIndex;
  const start = tokensToKeep({ tokens: promptTokens, held }, tileTokens);
  if (start < held) await sequence.eraseContextTokenRanges([{ start, end: held }]);
}

export function viewOf(slot: Slot, slots: readonly Slot[], { prompt, cacheSalt: salt }: Asking) {
  const { sequence, lastUse, job, content } = slot;
  const index = slots.indexOf(slot);
  const matching = sequence.compareContextTokens(prompt as Token[]).firstDifferentIndex;
  const shared = content?.salt === salt ? reachableTokens(sequence, matching) : 0;
  // The last token of a prompt is always evaluated.
  const sharedTokens = Math.min(shared, prompt.length - 1);
  const isComing = job !== undefined && job.work.cacheSalt === salt && !standsStill(slot, slots);
  return {
    slot,
    isBusy: job !== undefined,
    lastUse,
    cachedTokens: sequence.nextTokenIndex,
    sharedTokens,
    comingTokens: isComing ? Math.max(sharedTokens, comingLength(job.work.prompt, prompt)) : 0,
    busyAdjacent: [slots[index - 1], slots[index + 1]].filter((adjacent) => adjacent?.job).length,
  };
}

/** Without the last token of either, which is evaluated together with what follows. */
function comingLength(a: readonly Token[], b: readonly Token[]): number {
  return Math.max(0, Math.min(sharedLength(a, b), a.length - 1, b.length - 1));
}

/** Whether another request is prefilling the same prefix: it is prefilled once and then copied. */
export function isBeingPrefilled(
  { work, waitsForPrefix }: Job,
  { views, copyTokens, savedPrompts, promptKeeper }: Prefixes,
): boolean {
  const saved = savedPrompts?.find(work.prompt)?.tokens ?? 0;
  const cached = promptKeeper.find({ prompt: work.prompt, salt: work.cacheSalt }, 0)?.tokens ?? 0;
  const held = Math.max(saved, cached, ...views.map(({ sharedTokens }) => sharedTokens));
  const prefilling = views.filter(({ slot }) => slot.job?.generation);
  const coming = Math.max(0, ...prefilling.map(({ comingTokens }) => comingTokens));
  return coming - held > (waitsForPrefix ? 0 : copyTokens);
}
