import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { budgetOf, chooseContext, fits, placeBytes, totalOf } from '../../../src/runtime/memory.ts';
import { scriptedDevices } from '../../helpers/models/devices.ts';

const GB = 1e9;
const OVERHEAD = 0.2 * GB;
const card = (totalBytes: number, isShared = false) => scriptedDevices([{ totalBytes, isShared }]);

describe('a model', () => {
  test.each([
    ['no card', [], { ram: 8.2 * GB, vram: 0 }],
    ['a card that holds it', card(24 * GB), { ram: OVERHEAD, vram: 8 * GB }],
    [
      'a card that holds a part, nine tenths of which is for models',
      card(5 * GB),
      { ram: 3.7 * GB, vram: 4.5 * GB },
    ],
    ['a card that shares the machine’s memory', card(32 * GB, true), { ram: 8.2 * GB, vram: 0 }],
    [
      'two cards that hold it together',
      scriptedDevices([{ totalBytes: 10 * GB }, { totalBytes: 20 * GB, freeBytes: 6 * GB }]),
      { ram: OVERHEAD, vram: 8 * GB },
    ],
  ])('on a machine with %s takes memory where it will be', (_, cards, expected) => {
    const placed = placeBytes({ bytes: 8 * GB, overheadBytes: OVERHEAD, cards });
    expect(placed.ram).toBeCloseTo(expected.ram, -3);
    expect(totalOf({ ...placed, ram: 0 })).toBeCloseTo(expected.vram, -3);
  });

  test("is never placed beyond a card's budget, and none of it is lost", () => {
    const oneCard = fc.record({ totalBytes: fc.nat(1e11), freeBytes: fc.nat(1e11), isShared: fc.boolean() });
    fc.assert(
      fc.property(fc.nat(1e11), fc.array(oneCard, { maxLength: 4 }), (bytes, list) => {
        const cards = scriptedDevices(list);
        const placed = placeBytes({ bytes, overheadBytes: OVERHEAD, cards });
        expect(totalOf(placed)).toBe(bytes + OVERHEAD);
        expect(fits({ ram: 0, vram: placed.vram }, budgetOf(0, cards))).toBe(true);
      }),
    );
  });

  test('takes memory of each card in proportion to what it has for models', () => {
    const cards = scriptedDevices([{ totalBytes: 20 * GB }, { totalBytes: 20 * GB, freeBytes: 6 * GB }]);
    expect(placeBytes({ bytes: 8 * GB, overheadBytes: 0, cards })).toEqual({
      ram: 0,
      vram: { 0: 6 * GB, 1: 2 * GB },
    });
  });

  test('with layers that its owner put on a card is refused as too large, rather than placed elsewhere', () => {
    const cards = card(5 * GB);
    const placed = placeBytes({ bytes: 8 * GB, overheadBytes: 0, cards, share: 0.75 });
    expect(placed).toEqual({ ram: 2 * GB, vram: { 0: 6 * GB } });
    expect(fits(placed, budgetOf(64 * GB, cards))).toBe(false);
  });
});

describe('the context', () => {
  const needOf = (tokens: number) => ({ ram: tokens * 1000, vram: {} });
  const choice = { tokens: 8192, tokensMin: 1024, needOf };

  test('that was not requested is halved until the model fits, down to the minimum', () => {
    const room = (ram: number) => ({ ...choice, isAutomatic: true, room: { ram, vram: {} } });
    expect(chooseContext(room(9_000_000))).toBe(8192);
    expect(chooseContext(room(5_000_000))).toBe(4096);
    expect(chooseContext(room(1))).toBe(1024);
  });

  test('that was requested stays as it is', () => {
    expect(chooseContext({ ...choice, isAutomatic: false, room: { ram: 1, vram: {} } })).toBe(8192);
  });
});
