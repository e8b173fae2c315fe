import type { Settings } from '../../src/config/config.ts';
import type { MemoryNeeds } from '../../src/library/memory-needs.ts';
import { planContext, SHORT_TOKENS, type ContextPlan, type Room } from '../../src/runtime/context-plan.ts';
import type { GraphicsMemory } from '../../src/runtime/engine.ts';
import type { EngineName, ModelManifest } from '../../src/runtime/manifest.ts';
import { budgetOf, placeBytes, type Bytes } from '../../src/runtime/memory.ts';

/** Other servers keep lines of their own; pictures are drawn one after another. */
const FIXED_SLOTS: Partial<Record<EngineName, number>> = { upstream: 256, diffusion: 1 };
/** What a long context leaves to the other models, where it can. */
const SHARE = 0.5;

type Parts = {
  settings: Settings;
  needs: Pick<MemoryNeeds, 'estimate'>;
  /** The cards that a runner has seen. */
  graphics: () => GraphicsMemory | undefined;
};

/** How many requests a model serves at a time, and how long the context of each is. */
export function createContexts({ settings, needs, graphics }: Parts) {
  const { modelContextTokens: tokens, kvCacheType: cacheType, flashAttention, memoryBudgetBytes } = settings;

  const slotsOf = ({ engine }: ModelManifest) => FIXED_SLOTS[engine] ?? settings.modelSlots;

  function planOf(manifest: ModelManifest, room: Bytes): ContextPlan {
    const { engine, contextTokensMax: trainedTokens } = manifest;
    if (engine === 'upstream') return upstreamPlan(manifest, slotsOf(manifest));
    const chats = manifest.tasks.includes('chat');
    const needOf = (contextTokens: number, slots: number) => {
      const need = needs.estimate(manifest, { contextTokens, slots, cacheType, flashAttention });
      return placeBytes(need.weights + need.cache, graphics(), need.overhead);
    };
    return planContext({
      trainedTokens,
      chosenTokens: tokens === 'auto' ? undefined : tokens,
      tokensMax: chats ? Infinity : SHORT_TOKENS,
      slots: slotsOf(manifest),
      areSlotsChosen: !chats || engine in FIXED_SLOTS || settings.chosen.has('modelSlots'),
      needOf,
      rooms: roomsIn(room, needOf(1, 1)),
    });
  }

  /** A card of its own is filled with what it can hold; the machine's memory is not, since other programs run there. */
  function roomsIn(room: Bytes, least: Bytes): Room[] {
    const card = graphics();
    const whole = { bytes: room, name: 'memory_budget_bytes' };
    if (card && !card.isShared)
      return [{ bytes: { ...room, ram: least.ram }, name: 'the memory of the graphics card' }, whole];
    const ram = Math.min(room.ram, Math.floor(memoryBudgetBytes * SHARE));
    return [{ bytes: { ...room, ram }, name: 'half of memory_budget_bytes' }, whole];
  }

  return { slotsOf, planOf, budget: () => budgetOf(memoryBudgetBytes, graphics()) };
}

/** Its server says how long it is. */
function upstreamPlan({ contextTokensMax }: ModelManifest, slots: number): ContextPlan {
  return {
    contextTokens: contextTokensMax || SHORT_TOKENS,
    slots,
    isAutomatic: false,
    reason: 'as its server has it',
  };
}
