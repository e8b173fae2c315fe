import type { Settings } from '../../src/config/config.ts';
import type { MemoryNeeds } from '../../src/library/memory-needs.ts';
import {
  planContext,
  SHORT_TOKENS,
  type ContextPlan,
  type Room,
} from '../../src/runtime/memory/context-plan.ts';
import type { GraphicsMemory } from '../../src/runtime/engine.ts';
import { needsRunner, type EngineName, type ModelManifest } from '../../src/runtime/manifest.ts';
import { budgetOf, placeBytes, type Bytes } from '../../src/runtime/memory.ts';

/** Upstream servers queue by themselves; images are generated one at a time. */
const FIXED_SLOTS: Partial<Record<EngineName, number>> = { upstream: 256, script: 256, diffusion: 1 };
/** A long context leaves this share to the other models, where it can. */
const SHARE = 0.5;

type Parts = {
  settings: Settings;
  needs: Pick<MemoryNeeds, 'estimate'>;
  /** The graphics memory that a runner reported. */
  graphics: () => GraphicsMemory | undefined;
};

/** How many requests a model serves at a time, and the context of each. */
export function createContexts({ settings, needs, graphics }: Parts) {
  const { modelContextTokens: tokens, kvCacheType: cacheType, flashAttention, memoryBudgetBytes } = settings;

  const slotsOf = ({ engine }: ModelManifest) => FIXED_SLOTS[engine] ?? settings.modelSlots;

  /** The owner's setting, then the model's own default. */
  function chosenFor({ defaults }: ModelManifest) {
    if (tokens !== 'auto') return { chosenTokens: tokens, chosenBy: 'model_context_tokens' };
    return { chosenTokens: defaults?.contextTokens, chosenBy: 'num_ctx of its Modelfile' };
  }

  function planOf(manifest: ModelManifest, room: Bytes): ContextPlan {
    const { engine, contextTokensMax: trainedTokens } = manifest;
    if (!needsRunner(manifest)) return fixedPlan(manifest, slotsOf(manifest));
    const chats = manifest.tasks.includes('chat');
    const needOf = (contextTokens: number, slots: number) => {
      const need = needs.estimate(manifest, { contextTokens, slots, cacheType, flashAttention });
      return placeBytes(need.weights + need.cache, graphics(), need.overhead);
    };
    return planContext({
      trainedTokens,
      ...chosenFor(manifest),
      tokensMax: chats ? Infinity : SHORT_TOKENS,
      slots: slotsOf(manifest),
      areSlotsChosen: !chats || engine in FIXED_SLOTS || settings.chosen.has('modelSlots'),
      needOf,
      rooms: roomsIn(room, needOf(1, 1)),
    });
  }

  /** Graphics memory is filled with what fits; host memory is not, since other programs run there. */
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

/** The upstream server determines it; a script has none. */
function fixedPlan({ engine, contextTokensMax }: ModelManifest, slots: number): ContextPlan {
  return {
    contextTokens: contextTokensMax || SHORT_TOKENS,
    slots,
    isAutomatic: false,
    reason: engine === 'script' ? 'scripted answers need none' : 'as its server has it',
  };
}
