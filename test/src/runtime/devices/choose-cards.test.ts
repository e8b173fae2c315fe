import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { automaticCards, chooseCards } from '../../../../src/runtime/devices/choose-cards.ts';
import type { Device } from '../../../../src/runtime/devices/device.ts';
import { budgetOf, minus } from '../../../../src/runtime/memory.ts';
import { scriptedDevices } from '../../../helpers/models/devices.ts';

const GB = 1e9;

function chosen(
  found: readonly Device[],
  gigabytes: number,
  { held = {}, pinned = {}, isSpread = false } = {},
) {
  const budget = budgetOf(0, found);
  const left = (vram: Record<string, number>) => minus(budget, { ram: 0, vram });
  const memory = { free: left(held), room: left(pinned) };
  return chooseCards({ found, bytes: gigabytes * GB, isSpread, ...memory }).map(({ index }) => index);
}

describe('of a small, a large and a used card', () => {
  const found = scriptedDevices([
    { totalBytes: 8 * GB },
    { totalBytes: 24 * GB },
    { totalBytes: 24 * GB, freeBytes: 10 * GB },
  ]);

  test.each([
    ['goes to the one with the most free memory', 4, {}, [1]],
    ['goes to the next when that is taken', 4, { held: { 1: 20 * GB } }, [2]],
    ['waits for the one where it fits once others have left', 15, { held: { 1: 20 * GB } }, [1]],
    ['does not wait for what stays', 15, { held: { 1: 20 * GB }, pinned: { 1: 20 * GB } }, [0, 1, 2]],
    ['is split where it fits on none', 30, {}, [0, 1, 2]],
    ['is split where the owner wants that of all', 1, { isSpread: true }, [0, 1, 2]],
  ])('a model %s', (_, gigabytes, situation, cards) => {
    expect(chosen(found, gigabytes, situation)).toEqual(cards);
  });
});

test('cards of another backend, and those used only on request, are not chosen', () => {
  const found = scriptedDevices([
    { backend: 'vulkan', isAutomatic: false },
    { backend: 'vulkan', totalBytes: 8 * GB },
    { backend: 'metal', totalBytes: 99 * GB },
  ]);
  expect(automaticCards(found).map(({ index }) => index)).toEqual([1]);
  expect(chosen(found, 30)).toEqual([1]);
  expect(chosen(scriptedDevices([]), 1)).toEqual([]);
});

test('whatever the cards, a model that fits on one of them is placed on the freest one that holds it', () => {
  const card = fc.record({
    totalBytes: fc.integer({ min: 1, max: 96 * GB }),
    freeBytes: fc.nat(96 * GB),
    isAutomatic: fc.boolean(),
    backend: fc.constantFrom('cuda' as const, 'vulkan' as const),
  });
  const situation = fc.record({
    list: fc.array(card, { maxLength: 6 }),
    held: fc.array(fc.nat(96 * GB), { minLength: 6, maxLength: 6 }),
    bytes: fc.nat(96 * GB),
  });
  fc.assert(
    fc.property(situation, ({ list, held, bytes }) => {
      const found = scriptedDevices(list);
      const room = budgetOf(0, found);
      const free = minus(room, { ram: 0, vram: Object.fromEntries(held.entries()) });
      const cards = chooseCards({ found, bytes, free, room, isSpread: false });
      const all = automaticCards(found);
      const freeOf = ({ index }: Device) => free.vram[index] ?? 0;
      const holds = all.filter((each) => freeOf(each) >= bytes);
      expect(all).toEqual(expect.arrayContaining([...cards]));
      expect(cards.length).toBeGreaterThanOrEqual(Math.min(1, all.length));
      if (holds.length === 0 || all.length < 2) return;
      expect(cards).toHaveLength(1);
      expect(Math.max(...holds.map(freeOf))).toBe(cards.map(freeOf)[0]);
    }),
  );
});
