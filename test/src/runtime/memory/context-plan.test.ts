import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  AGENT_TOKENS,
  planContext,
  type ContextRequest,
} from '../../../../src/runtime/memory/context-plan.ts';
import { fits } from '../../../../src/runtime/memory.ts';

const MB = 1e6;
const WEIGHTS = 2500 * MB;

type Machine = { gigabytes: number; bytesPerToken?: number } & Partial<ContextRequest>;

/** A model of 4 billion parameters whose context takes 147 KB per token, on a machine with this budget. */
function planOn({ gigabytes, bytesPerToken = 147_456, ...limits }: Machine) {
  const ram = gigabytes * 1e9;
  return planContext({
    trainedTokens: 131_072,
    chosenTokens: undefined,
    tokensMax: Infinity,
    slots: 4,
    areSlotsChosen: false,
    needOf: (tokens, slots) => ({ ram: WEIGHTS + tokens * slots * bytesPerToken, vram: {} }),
    rooms: [
      { bytes: { ram: ram / 2, vram: {} }, name: 'half of memory_budget_bytes' },
      { bytes: { ram, vram: {} }, name: 'memory_budget_bytes' },
    ],
    ...limits,
  });
}

describe('a context that is not configured', () => {
  test('is what the model was trained for, if half of the memory holds it', () => {
    expect(planOn({ gigabytes: 200 })).toEqual({
      contextTokens: 131_072,
      slots: 4,
      isAutomatic: true,
      reason: 'trained for 131,072',
    });
  });

  test('is as long as half of the memory allows, so that other models have room', () => {
    expect(planOn({ gigabytes: 64 })).toMatchObject({
      contextTokens: 49_152,
      slots: 4,
      reason: 'trained for 131,072; 49,152 fit in half of memory_budget_bytes with 4 slots',
    });
  });

  test('takes all memory before it is too short for an agent, and then has fewer slots', () => {
    expect(planOn({ gigabytes: 24 })).toMatchObject({ contextTokens: 32_768, slots: 4 });
    expect(planOn({ gigabytes: 12.8 })).toMatchObject({
      contextTokens: 32_768,
      slots: 2,
      reason: 'trained for 131,072; 32,768 fit in memory_budget_bytes with 2 of 4 slots',
    });
    expect(planOn({ gigabytes: 8 })).toMatchObject({ contextTokens: 32_768, slots: 1 });
    expect(planOn({ gigabytes: 5 })).toMatchObject({ contextTokens: 16_384, slots: 1 });
  });

  test('is shorter if the slots are configured', () => {
    const plan = planOn({ gigabytes: 12.8, areSlotsChosen: true });
    expect(plan).toMatchObject({ contextTokens: 17_408, slots: 4 });
  });

  test('is never longer than what the model was trained for', () => {
    expect(planOn({ gigabytes: 200, trainedTokens: 2050 })).toMatchObject({ contextTokens: 2050, slots: 4 });
    expect(planOn({ gigabytes: 3, trainedTokens: 2050 })).toMatchObject({ contextTokens: 2050 });
    expect(planOn({ gigabytes: 200, trainedTokens: 0 })).toMatchObject({
      contextTokens: 8192,
      reason: 'the file does not state its length',
    });
  });

  test('is short for models that cannot chat', () => {
    expect(planOn({ gigabytes: 200, tokensMax: 8192, areSlotsChosen: true })).toMatchObject({
      contextTokens: 8192,
      slots: 4,
      reason: 'trained for 131,072; 8,192 are enough if nobody chats',
    });
  });

  test('is still usable if nothing fits, so that loading can report it', () => {
    expect(planOn({ gigabytes: 1 })).toMatchObject({ contextTokens: 2048, slots: 1 });
  });

  test('fits whenever any usable one does, and is long enough for an agent whenever one such slot fits', () => {
    const sizes = fc.record({
      gigabytes: fc.double({ min: 1, max: 400, noNaN: true }),
      bytesPerToken: fc.integer({ min: 1000, max: 2 * MB }),
      trainedTokens: fc.integer({ min: 512, max: 1_048_576 }),
      slots: fc.integer({ min: 1, max: 16 }),
    });
    fc.assert(
      fc.property(sizes, (size) => {
        const ram = size.gigabytes * 1e9;
        const needOf = (tokens: number, slots: number) => ({
          ram: WEIGHTS + tokens * slots * size.bytesPerToken,
          vram: {},
        });
        const isRoomFor = (tokens: number, slots: number) => fits(needOf(tokens, slots), { ram, vram: {} });
        const { contextTokens, slots } = planOn({ ...size, needOf });
        const enough = Math.min(size.trainedTokens, AGENT_TOKENS);
        expect(contextTokens).toBeLessThanOrEqual(size.trainedTokens);
        expect(slots).toBeLessThanOrEqual(size.slots);
        if (isRoomFor(Math.min(2048, size.trainedTokens), 1))
          expect(isRoomFor(contextTokens, slots)).toBe(true);
        if (isRoomFor(enough, 1)) expect(contextTokens).toBeGreaterThanOrEqual(enough);
      }),
    );
  });
});

test('a configured context stays, up to what the model was trained for', () => {
  expect(planOn({ gigabytes: 1, chosenTokens: 65_536 })).toEqual({
    contextTokens: 65_536,
    slots: 4,
    isAutomatic: false,
    reason: 'model_context_tokens is 65,536',
  });
  expect(planOn({ gigabytes: 1, chosenTokens: 65_536, trainedTokens: 4096 })).toMatchObject({
    contextTokens: 4096,
    reason: 'trained for 4,096; model_context_tokens is 65,536',
  });
});
