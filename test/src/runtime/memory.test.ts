import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { GraphicsMemory } from '../../../src/runtime/engine.ts';
import { budgetOf, chooseContext, fits, placeBytes, totalOf } from '../../../src/runtime/memory.ts';

const GB = 1e9;
const OVERHEAD = 0.2 * GB;
const card = (totalBytes: number, isShared = false): GraphicsMemory => ({
  kind: 'cuda',
  devices: ['a card'],
  totalBytes,
  isShared,
});

describe('a model', () => {
  test.each([
    ['no card', undefined, { ram: 8.2 * GB, vram: 0 }],
    ['a card that holds it', card(24 * GB), { ram: OVERHEAD, vram: 8 * GB }],
    [
      'a card that holds a part, nine tenths of which is for models',
      card(5 * GB),
      { ram: 3.7 * GB, vram: 4.5 * GB },
    ],
    ['a card that shares the machine’s memory', card(32 * GB, true), { ram: 8.2 * GB, vram: 0 }],
  ])('on a machine with %s takes memory where it will lie', (_, graphics, expected) => {
    const { ram, vram } = placeBytes(8 * GB, graphics, OVERHEAD);
    expect(ram).toBeCloseTo(expected.ram, -3);
    expect(vram).toBeCloseTo(expected.vram, -3);
  });

  test('is never placed beyond a card’s budget, and nothing of it is lost', () => {
    fc.assert(
      fc.property(fc.nat(1e11), fc.nat(1e11), fc.boolean(), (bytes, total, isShared) => {
        const graphics = card(total, isShared);
        const placed = placeBytes(bytes, graphics, OVERHEAD);
        expect(totalOf(placed)).toBe(bytes + OVERHEAD);
        expect(fits({ ram: 0, vram: placed.vram }, budgetOf(0, graphics))).toBe(true);
      }),
    );
  });
});

describe('the context', () => {
  const needOf = (tokens: number) => ({ ram: tokens * 1000, vram: 0 });
  const choice = { tokens: 8192, tokensMin: 1024, needOf };

  test('that was not requested is halved until the model fits, down to the minimum', () => {
    const room = (ram: number) => ({ ...choice, isAutomatic: true, room: { ram, vram: 0 } });
    expect(chooseContext(room(9_000_000))).toBe(8192);
    expect(chooseContext(room(5_000_000))).toBe(4096);
    expect(chooseContext(room(1))).toBe(1024);
  });

  test('that was requested stays as it is', () => {
    expect(chooseContext({ ...choice, isAutomatic: false, room: { ram: 1, vram: 0 } })).toBe(8192);
  });
});
