import fc from 'fast-check';
import { expect, test } from 'vitest';
import { takes } from '../../../../src/access/simulation/rules.ts';

const turns = fc.record({
  every: fc.integer({ min: 1, max: 50 }),
  times: fc.option(fc.integer({ min: 1, max: 20 })),
});

test('of any number of requests, a rule applies to every n-th, up to its maximum', () => {
  fc.assert(
    fc.property(turns, fc.nat(500), ({ every, times }, requests) => {
      const taken = Array.from({ length: requests }, (_, index) => index + 1).filter((number) =>
        takes({ every, times }, number),
      );
      expect(taken).toHaveLength(Math.min(Math.floor(requests / every), times ?? Infinity));
      expect(taken).toEqual(taken.map((_, index) => (index + 1) * every));
    }),
  );
});
