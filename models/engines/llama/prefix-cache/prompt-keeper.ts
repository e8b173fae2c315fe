import type { LlamaContextSequence, Token } from 'node-llama-cpp';
import type { PromptCacheCounts } from '../../../../src/config/prompt-cache.ts';
import { CHECKPOINT_TOKENS } from './checkpoints.ts';
import { createPromptCache, sharedLength, type FoundPrompt } from './prompt-cache.ts';
import { createStateCost, paysOff } from './state-cost.ts';
import { saveState } from './sequence-state.ts';
import type { Slot } from '../scheduling/slot.ts';

export type PromptKeeper = ReturnType<typeof createPromptKeeper>;

type Next = { prompt: readonly Token[]; salt: string | undefined };

export type PromptKeeperOptions = {
  bytesMax: number;
  slots: readonly Slot[];
  /** How long prefilling this many tokens takes; undefined before the first measurement. */
  prefillMs: (tokens: number) => number | undefined;
};

/** Saves what a slot held when another conversation takes it, and restores it when that conversation continues. */
export function createPromptKeeper({ bytesMax, slots, prefillMs }: PromptKeeperOptions) {
  const cache = createPromptCache(bytesMax);
  const cost = createStateCost();

  /** Tokens that would have to be prefilled again if the slot lost them. */
  function lostBy(slot: Slot, tokens: readonly Token[], next: Next): number {
    const { content } = slot;
    if (!content) return 0;
    const shared = content.salt === next.salt ? sharedLength(tokens, next.prompt) : 0;
    if (goesOn(content, shared)) return 0;
    const others = slots.filter((other) => other !== slot && other.content?.salt === content.salt);
    const held = others.map(({ sequence }) => sharedLength(sequence.contextTokens, tokens));
    return tokens.length - Math.max(shared, cache.find(tokens, content.salt)?.tokens ?? 0, ...held);
  }

  /** Called before the slot is given to the next request. */
  async function keep(slot: Slot, next: Next): Promise<void> {
    const { sequence, content } = slot;
    if (!cache.isOn() || !content) return;
    const tokens = sequence.contextTokens;
    const lost = lostBy(slot, tokens, next);
    const costs = { tokens: lost, prefillMs: prefillMs(lost), stateMs: cost.keepMs(tokens.length) };
    if (!paysOff('keep', costs) || !cache.makeRoom(cost.bytesOf(tokens.length))) return;
    try {
      const startedAt = performance.now();
      const state = await saveState(sequence);
      cost.onSaved({ bytes: state.bytes, tokens: tokens.length, ms: performance.now() - startedAt });
      cache.add({ ...content, tokens, state });
    } catch (error) {
      console.error('A conversation was not kept in the prompt cache', error);
    }
  }

  /** The cached prompt to continue, if that is faster than prefilling what is not cached elsewhere. */
  function find({ prompt, salt }: Next, heldTokens: number): FoundPrompt | undefined {
    const found = cache.find(prompt, salt);
    const tokens = (found?.tokens ?? 0) - heldTokens;
    if (!found || tokens <= 0) return undefined;
    const stateMs = cost.restoreMs(found.entry.state.bytes);
    return paysOff('restore', { tokens, prefillMs: prefillMs(tokens), stateMs }) ? found : undefined;
  }

  async function restore({ entry, tokens }: FoundPrompt, target: LlamaContextSequence): Promise<void> {
    try {
      const startedAt = performance.now();
      await entry.state.restore(target, tokens);
      cost.onRestored({ bytes: entry.state.bytes, ms: performance.now() - startedAt });
      cache.used(entry, goesOn(entry, tokens));
    } catch (error) {
      console.error('A conversation in the prompt cache is unusable and was dropped', error);
      cache.remove(entry);
    }
  }

  return {
    keep,
    find,
    restore,
    /** Protected while the slot's content is saved. */
    hold: (found: FoundPrompt | undefined) => cache.hold(found?.entry),
    limit: (bytes: number) => cache.limit(bytes),
    clear: () => cache.clear(),
    counts: (): PromptCacheCounts => cache.counts(),
  };
}

/** The next turn may render the end of the prompt, and the answer, differently. */
function goesOn({ promptTokens }: { promptTokens: number }, sharedTokens: number): boolean {
  return sharedTokens >= promptTokens - CHECKPOINT_TOKENS;
}
