import fc from 'fast-check';
import { expect, test } from 'vitest';
import { chooseSlot, type SlotView } from '../../../../../models/engines/llama/prefix-cache/choose-slot.ts';

const COPY_TOKENS = 64;

const slot = (cachedTokens: number, sharedTokens: number, lastUse: number, busyAdjacent = 0): SlotView => ({
  isBusy: false,
  cachedTokens,
  sharedTokens,
  comingTokens: 0,
  lastUse,
  busyAdjacent,
});
const busy = (cachedTokens: number, sharedTokens: number, comingTokens = 0): SlotView => ({
  ...slot(cachedTokens, sharedTokens, 100),
  comingTokens,
  isBusy: true,
});
const EMPTY = slot(0, 0, 0);

test.each([
  ['continues its own conversation', [slot(500, 500, 1), slot(900, 20, 2), EMPTY], 0],
  ['prefers the longest common beginning', [slot(40, 30, 2), slot(60, 50, 1)], 1],
  ['leaves a long conversation alone while a slot is empty', [slot(5000, 50, 1), EMPTY], 1],
  ['takes what nobody used for longest when all are full of others', [slot(100, 4, 5), slot(900, 4, 2)], 1],
  ['takes an empty slot before an old one', [slot(10, 0, 1), slot(0, 0, 9)], 1],
  ['takes the empty slot beside a busy one', [EMPTY, EMPTY, slot(0, 0, 0, 1)], 2],
  [
    'takes of the older ones that beside a busy one',
    [slot(900, 0, 1), slot(900, 0, 2, 1), slot(900, 0, 3, 2), slot(900, 0, 4)],
    1,
  ],
  [
    'takes a short one beside a busy one, however young',
    [slot(900, 0, 1), slot(900, 0, 2), slot(900, 0, 3), slot(100, 0, 4, 1)],
    3,
  ],
  ['continues a conversation wherever it is', [slot(560, 520, 1), slot(0, 0, 0, 2)], 0],
  ['reads a few words anew to run beside the others', [slot(50, 40, 1), slot(0, 0, 0, 1)], 1],
  ['fills the gap between two busy ones', [slot(0, 0, 0, 1), slot(0, 0, 0, 2)], 1],
  ['takes the older of two equal ones', [slot(30, 20, 4), slot(30, 20, 3)], 1],
  ['takes none that is busy', [busy(50, 50), slot(10, 0, 1)], 1],
])('%s', (_, slots, chosen) => {
  expect(chooseSlot(slots, COPY_TOKENS)).toEqual({ slot: slots[chosen], source: undefined });
});

test.each([
  ['from a busy slot that holds more of it', [busy(900, 700), EMPTY], 1, 0],
  ['from a busy slot that is about to read it', [busy(0, 0, 700), EMPTY], 1, 0],
  ['from an idle conversation that would lose its end', [slot(900, 700, 1), EMPTY], 1, 0],
  ['from the slot that offers most', [busy(900, 700), busy(0, 0, 800), EMPTY], 2, 1],
  ['over what nobody used for longest', [slot(900, 300, 2), slot(700, 10, 1)], 1, 0],
])('copies a long common prefix %s', (_, slots, chosen, source) => {
  expect(chooseSlot(slots, COPY_TOKENS)).toEqual({ slot: slots[chosen], source: slots[source] });
  const [alone] = [chooseSlot(slots, Infinity)];
  expect(alone?.source).toBeUndefined();
});

test('a few more tokens elsewhere are not worth a copy', () => {
  const slots = [slot(500, 500, 1), busy(560, 560)];
  expect(chooseSlot(slots, COPY_TOKENS)).toEqual({ slot: slots[0], source: undefined });
});

const anySlot = fc
  .tuple(fc.nat(1000), fc.nat(1000), fc.nat(1000), fc.nat(50), fc.boolean())
  .map(([held, shared, coming, use, isBusy]) => ({
    ...slot(held, Math.min(held, shared), use),
    isBusy,
    comingTokens: isBusy ? coming : 0,
  }));

test('never drops more than half of a sequence while a slot is empty', () => {
  fc.assert(
    fc.property(fc.array(anySlot), (slots) => {
      const chosen = chooseSlot([...slots, EMPTY], COPY_TOKENS)?.slot;
      expect(chosen && (chosen.cachedTokens - chosen.sharedTokens) * 2 <= chosen.cachedTokens).toBe(true);
    }),
  );
});

test('chooses an idle slot wherever there is one, and never copies from itself or for nothing', () => {
  fc.assert(
    fc.property(fc.array(anySlot), (slots) => {
      const choice = chooseSlot(slots, COPY_TOKENS);
      expect(choice !== undefined).toBe(slots.some(({ isBusy }) => !isBusy));
      if (!choice) return;
      expect(choice.slot.isBusy).toBe(false);
      if (!choice.source) return;
      expect(choice.source).not.toBe(choice.slot);
      const offered = Math.max(choice.source.sharedTokens, choice.source.comingTokens);
      expect(offered - choice.slot.sharedTokens).toBeGreaterThan(COPY_TOKENS);
    }),
  );
});
