import type { Settings } from '../../src/config/config.ts';
import type { MemoryNeeds } from '../../src/library/memory-needs.ts';
import {
  AGENT_TOKENS,
  planContext,
  SHORT_TOKENS,
  type ContextPlan,
  type Room,
} from '../../src/runtime/memory/context-plan.ts';
import type { Place } from '../../src/runtime/devices/device.ts';
import { needsRunner, type EngineName, type ModelManifest } from '../../src/runtime/manifest.ts';
import { placeBytes, shareOf, type Bytes } from '../../src/runtime/memory.ts';

/** Upstream servers have their own queues; images are generated one at a time. */
const FIXED_SLOTS: Partial<Record<EngineName, number>> = { upstream: 256, script: 256, diffusion: 1 };
/** A long context leaves this share to the other models if possible. */
const SHARE = 0.5;

type Parts = {
  settings: Settings;
  needs: Pick<MemoryNeeds, 'estimate'>;
};

/** How many requests a model serves at a time, and the context of each. */
export function createContexts({ settings, needs }: Parts) {
  const { modelContextTokens: tokens, kvCacheType: cacheType, flashAttention, memoryBudgetBytes } = settings;

  const slotsOf = ({ engine }: ModelManifest) => FIXED_SLOTS[engine] ?? settings.modelSlots;

  /** The owner's setting, then the model's own default. */
  function chosenFor({ defaults }: ModelManifest) {
    if (tokens !== 'auto') return { chosenTokens: tokens, chosenBy: 'model_context_tokens' };
    return { chosenTokens: defaults?.contextTokens, chosenBy: 'num_ctx of its Modelfile' };
  }

  function planOf(manifest: ModelManifest, room: Bytes, { cards }: Place): ContextPlan {
    const { engine, contextTokensMax: trainedTokens } = manifest;
    if (!needsRunner(manifest)) return fixedPlan(manifest, slotsOf(manifest));
    const chats = manifest.tasks.includes('chat');
    const needOf = (contextTokens: number, slots: number) => {
      const need = needs.estimate(manifest, { contextTokens, slots, cacheType, flashAttention });
      const bytes = need.weights + need.cache;
      return placeBytes({ bytes, overheadBytes: need.overhead, cards, share: shareOf(manifest) });
    };
    return planContext({
      trainedTokens,
      ...chosenFor(manifest),
      tokensMax: chats ? Infinity : SHORT_TOKENS,
      slots: slotsOf(manifest),
      areSlotsChosen: !chats || engine in FIXED_SLOTS || settings.chosen.has('modelSlots'),
      needOf,
      rooms: roomsIn(room, needOf(1, 1), cards),
    });
  }

  /** Graphics memory is filled with what fits; host memory is not, since other programs run there. */
  function roomsIn(room: Bytes, least: Bytes, cards: Place['cards']): Room[] {
    const whole = { bytes: room, name: 'memory_budget_bytes' };
    if (cards.some(({ isShared }) => !isShared))
      return [{ bytes: { ...room, ram: least.ram }, name: 'the memory of the graphics card' }, whole];
    const ram = Math.min(room.ram, Math.floor(memoryBudgetBytes * SHARE));
    return [{ bytes: { ...room, ram }, name: 'half of memory_budget_bytes' }, whole];
  }

  /** The memory of one request, with the context that coding agents need. */
  function leastFor(manifest: ModelManifest): number {
    const trained = manifest.contextTokensMax || SHORT_TOKENS;
    const contextTokens = chosenFor(manifest).chosenTokens ?? Math.min(trained, AGENT_TOKENS);
    const load = { contextTokens, slots: 1, cacheType, flashAttention };
    const { weights, cache } = needs.estimate(manifest, load);
    return weights + cache;
  }

  return { slotsOf, planOf, leastFor };
}

/** The upstream server determines it; a script has none. */
function fixedPlan({ engine, contextTokensMax }: ModelManifest, slots: number): ContextPlan {
  return {
    contextTokens: contextTokensMax || SHORT_TOKENS,
    slots,
    isAutomatic: false,
    reason: engine === 'script' ? 'scripted answers need none' : 'as its server has it',
  };
}
