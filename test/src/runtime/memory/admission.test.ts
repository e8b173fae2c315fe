import { expect, test } from 'vitest';
import { admit, type Holding } from '../../../../src/runtime/memory/admission.ts';

const ram = (bytes: number) => ({ ram: bytes, vram: {} });
const budget = { ram: 10, vram: { 0: 10, 1: 10 } };

function holding(key: string, bytes: number, rest: Partial<Holding<string>> = {}): Holding<string> {
  return { key, bytes: ram(bytes), state: 'idle', lastUseAt: 0, isTurnOver: true, ...rest };
}

test('a model that fits starts at once', () => {
  const requests = [
    { key: 'a', need: ram(6) },
    { key: 'b', need: ram(4) },
  ];
  expect(admit({ requests, holdings: [], budget })).toEqual({ start: ['a', 'b'], yield: [], refuse: [] });
});

test('the least recently used idle model makes room', () => {
  const holdings = [holding('recent', 5, { lastUseAt: 2 }), holding('old', 5, { lastUseAt: 1 })];
  expect(admit({ requests: [{ key: 'a', need: ram(4) }], holdings, budget })).toMatchObject({
    yield: ['old'],
  });
});

test('a small idle model stays if a bigger one must be unloaded in any case', () => {
  const holdings = [holding('small', 1, { lastUseAt: 1 }), holding('big', 9, { lastUseAt: 2 })];
  expect(admit({ requests: [{ key: 'a', need: ram(9) }], holdings, budget })).toMatchObject({
    yield: ['big'],
  });
});

test('a busy model makes room only if idle ones are not enough, and its turn is over', () => {
  const busy = (isTurnOver: boolean) => [holding('busy', 8, { state: 'busy', isTurnOver })];
  const requests = [{ key: 'a', need: ram(5) }];
  expect(admit({ requests, holdings: busy(false), budget })).toEqual({ start: [], yield: [], refuse: [] });
  expect(admit({ requests, holdings: busy(true), budget })).toMatchObject({ yield: ['busy'] });
  const spared = [...busy(true), holding('idle', 2)];
  expect(admit({ requests: [{ key: 'a', need: ram(2) }], holdings: spared, budget })).toMatchObject({
    yield: ['idle'],
  });
});

test('a model that can never fit beside pinned models is refused with what it needs and what there is', () => {
  const holdings = [holding('pinned', 8, { state: 'pinned' })];
  expect(admit({ requests: [{ key: 'a', need: ram(3) }], holdings, budget })).toEqual({
    start: [],
    yield: [],
    refuse: [{ key: 'a', need: ram(3), have: { ram: 2, vram: { 0: 10, 1: 10 } } }],
  });
});

test('a waiting large model does not hold up a small one that fits beside it', () => {
  const holdings = [holding('loading', 4, { state: 'settled' })];
  const requests = [
    { key: 'large', need: ram(7) },
    { key: 'small', need: ram(2) },
  ];
  expect(admit({ requests, holdings, budget }).start).toEqual(['small']);
});

test('memory that is about to be freed is promised to only one', () => {
  const holdings = [holding('leaving', 10, { state: 'leaving' })];
  const requests = [
    { key: 'first', need: ram(10) },
    { key: 'second', need: ram(1) },
  ];
  expect(admit({ requests, holdings, budget })).toEqual({ start: [], yield: [], refuse: [] });
});

test('only models on a card make room in its memory', () => {
  const holdings = [
    holding('on ram', 5),
    holding('on the other card', 0, { bytes: { ram: 0, vram: { 0: 9 } } }),
    holding('on card', 0, { bytes: { ram: 0, vram: { 1: 9 } }, lastUseAt: 9 }),
  ];
  const requests = [{ key: 'a', need: { ram: 1, vram: { 1: 5 } } }];
  expect(admit({ requests, holdings, budget })).toMatchObject({ yield: ['on card'] });
});
