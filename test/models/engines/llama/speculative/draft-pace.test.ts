import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createRandom } from '../../../../../src/gguf/random.ts';
import {
  createDraftPace,
  createDraftRecord,
} from '../../../../../models/engines/llama/speculative/draft-pace.ts';

const sure = { tokensMax: 16, chance: 0.95, isTrial: false };

/** A machine on which a step takes this long, and this much longer for each draft token. */
function paceOf({ running = 1, plainMs = 20, extraMs = 2 }) {
  const pace = createDraftPace();
  for (let step = 0; step < 20; step++) {
    pace.observe({ running, drafted: 0, accepted: 0, ms: plainMs });
    pace.observe({ running, drafted: 4, accepted: 2, ms: plainMs + 4 * extraMs });
  }
  return pace;
}

describe('the number of drafted tokens', () => {
  test('is zero until a step without drafts was measured', () => {
    expect(createDraftPace().allot([sure], 1)).toEqual([0]);
  });

  test('grows with the acceptance rate', () => {
    const pace = paceOf({});
    const lengths = [0.05, 0.3, 0.6, 0.9].map((chance) => pace.allot([{ ...sure, chance }], 1)[0] ?? 0);
    expect(lengths).toEqual(lengths.toSorted((a, b) => a - b));
    expect(lengths[0]).toBe(0);
    expect(lengths[3]).toBeGreaterThan(4);
  });

  test('falls with each concurrent request', () => {
    const total = [1, 2, 4, 8].map((running) => {
      const pace = paceOf({ running, plainMs: 20, extraMs: 3 });
      return (
        pace.allot(
          Array.from({ length: running }, () => ({ ...sure, chance: 0.7 })),
          running,
        )[0] ?? 0
      );
    });
    expect(total).toEqual(total.toSorted((a, b) => b - a));
    expect(total.at(0)).toBeGreaterThan(0);
    expect(total.at(-1)).toBe(0);
  });

  test('is never more than there is to draft', () => {
    expect(
      paceOf({ running: 2, extraMs: 0.1 }).allot(
        [
          { ...sure, tokensMax: 3 },
          { ...sure, tokensMax: 0 },
        ],
        2,
      ),
    ).toEqual([3, 0]);
  });

  test('pays for itself: the expected speed is never below that without drafts', () => {
    const machines = fc.record({
      running: fc.integer({ min: 1, max: 8 }),
      plainMs: fc.double({ min: 1, max: 200, noNaN: true }),
      share: fc.double({ min: 0.02, max: 0.99, noNaN: true }),
      chances: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 8, maxLength: 8 }),
    });
    fc.assert(
      fc.property(machines, ({ running, plainMs, share, chances }) => {
        const extraMs = plainMs * share;
        const pace = paceOf({ running, plainMs, extraMs });
        const candidates = chances.slice(0, running).map((chance) => ({ ...sure, chance }));
        const counts = pace.allot(candidates, running);
        const expected = counts.map((count, index) => {
          const chance = chances[index] ?? 0;
          return Array.from({ length: count }, (_, place) => chance ** (place + 1)).reduce(
            (a, b) => a + b,
            1,
          );
        });
        const tokens = expected.reduce((a, b) => a + b, 0);
        const ms = plainMs + extraMs * counts.reduce((a, b) => a + b, 0);
        expect(tokens / ms).toBeGreaterThanOrEqual((running / plainMs) * 0.999);
      }),
    );
  });
});

describe('rejected drafts', () => {
  test('soon stop, and are tried again now and then', () => {
    const pace = paceOf({ extraMs: 8 });
    const record = createDraftRecord();
    let drafted = 0;
    for (let step = 0; step < 1000; step++) {
      const [count = 0] = pace.allot(
        [{ tokensMax: 8, chance: record.chance(), isTrial: record.isTrial() }],
        1,
      );
      if (count > 0) record.learn({ drafted: count, accepted: 0, hasPaid: false });
      else record.pass();
      drafted += count;
    }
    expect(drafted).toBeGreaterThan(2);
    expect(drafted).toBeLessThan(20);
  });

  test('are forgotten when drafts are accepted again', () => {
    const pace = paceOf({});
    const record = createDraftRecord();
    for (let step = 0; step < 100; step++) record.learn({ drafted: 1, accepted: 0, hasPaid: false });
    for (let step = 0; step < 40; step++) {
      const [count = 0] = pace.allot(
        [{ tokensMax: 8, chance: record.chance(), isTrial: record.isTrial() }],
        1,
      );
      if (count > 0) record.learn({ drafted: count, accepted: count, hasPaid: true });
      else record.pass();
    }
    expect(record.chance()).toBeGreaterThan(0.8);
  });
});

test('a step that something else held up is soon forgotten', () => {
  const pace = paceOf({});
  const [before = 0] = pace.allot([sure], 1);
  pace.observe({ running: 1, drafted: 4, accepted: 2, ms: 5000 });
  for (let step = 0; step < 12; step++) pace.observe({ running: 1, drafted: 4, accepted: 2, ms: 28 });
  const [after = 0] = pace.allot([sure], 1);
  expect(before).toBeGreaterThan(4);
  expect(after).toBeGreaterThanOrEqual(before - 2);
});

/** A machine on which several tokens together cost more than one after another, until there are many. */
const STEEP = { plainMs: 88, msOf: (drafted: number) => (drafted === 0 ? 88 : 170 + 25 * (1 + drafted)) };

/** Runs a text whose drafts are accepted with this probability, and returns its speed relative to no drafts at all. */
function speedOn({ plainMs, msOf }: typeof STEEP, chance: number, random: () => number): number {
  const pace = createDraftPace();
  const record = createDraftRecord();
  let [tokens, spentMs] = [0, 0];
  while (tokens < 3000) {
    const candidate = { tokensMax: 16, chance: record.chance(), isTrial: record.isTrial() };
    const [drafted = 0] = pace.allot([candidate], 1);
    let accepted = 0;
    while (accepted < drafted && random() < chance) accepted++;
    const ms = msOf(drafted);
    const hasPaid = pace.observe({ running: 1, drafted, accepted, ms });
    if (drafted > 0) record.learn({ drafted, accepted, hasPaid });
    else record.pass();
    tokens += 1 + accepted;
    spentMs += ms;
  }
  return tokens / (spentMs / plainMs);
}

describe('on a machine where short drafts do not pay', () => {
  test('long ones are found where the text repeats itself', () => {
    expect(speedOn(STEEP, 0.98, createRandom(1))).toBeGreaterThan(1.5);
  });

  test.each([0, 0.1, 0.3, 0.5, 0.7])(
    'a text with %d of the drafted tokens accepted is hardly slower',
    (chance) => {
      expect(speedOn(STEEP, chance, createRandom(2))).toBeGreaterThan(0.95);
    },
  );
});
