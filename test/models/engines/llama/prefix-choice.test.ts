import fc from 'fast-check';
import { expect, test } from 'vitest';
import { chooseSlot, type IdleSlot } from '../../../../models/engines/llama/prefix-choice.ts';

const slot = (heldTokens: number, sharedTokens: number, lastUse: number, busyNeighbours = 0): IdleSlot => ({
  heldTokens,
  sharedTokens,
  lastUse,
  busyNeighbours,
});
const EMPTY = slot(0, 0, 0);

test.each([
  ['continues its own conversation', [slot(500, 500, 1), slot(900, 20, 2), EMPTY], 0],
  ['prefers the longest common beginning', [slot(40, 30, 2), slot(60, 50, 1)], 1],
  ['leaves a long conversation alone while a slot is empty', [slot(5000, 500, 1), EMPTY], 1],
  ['takes what nobody used for longest when all are full of others', [slot(100, 4, 5), slot(900, 4, 2)], 1],
  ['takes an empty slot before an old one', [slot(10, 0, 1), slot(0, 0, 9)], 1],
  ['takes the empty slot beside a busy one', [EMPTY, EMPTY, slot(0, 0, 0, 1)], 2],
  [
    'takes of the older ones that beside a busy one',
    [slot(9, 0, 1), slot(9, 0, 2, 1), slot(9, 0, 3, 2), slot(9, 0, 4)],
    1,
  ],
  ['continues a conversation wherever it is', [slot(50, 40, 1), slot(0, 0, 0, 2)], 0],
  ['takes the older of two equal ones', [slot(30, 20, 4), slot(30, 20, 3)], 1],
])('%s', (_, slots, chosen) => {
  expect(chooseSlot(slots)).toBe(slots[chosen]);
});

test('never drops more than half of a sequence while a slot is empty', () => {
  const anySlot = fc
    .tuple(fc.nat(1000), fc.nat(1000), fc.nat(50))
    .map(([held, shared, use]) => slot(held, Math.min(held, shared), use));
  fc.assert(
    fc.property(fc.array(anySlot), (slots) => {
      const chosen = chooseSlot([...slots, EMPTY]);
      expect(chosen && (chosen.heldTokens - chosen.sharedTokens) * 2 <= chosen.heldTokens).toBe(true);
    }),
  );
});

test('has nothing to choose among no slots', () => {
  expect(chooseSlot([])).toBeUndefined();
});
