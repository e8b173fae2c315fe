import { expect, test } from 'vitest';
import { createEvents } from '../../../../src/events/events.ts';
import { createBatches, type Batch, type BatchStatus } from '../../../../src/responses/batches/batches.ts';
import { createResults } from '../../../../src/responses/batches/results.ts';
import { openStore } from '../../../../src/store/store.ts';
import { settableClock } from '../../../helpers/clock.ts';
import { temporaryFolder } from '../../../helpers/temporary.ts';

const OWNER = { accountId: 'acct_local', keyId: null };
const LINES = 4;
const OVER: readonly BatchStatus[] = ['completed', 'failed', 'expired', 'cancelled'];

/** From each status the ones that may follow. */
const NEXT: Readonly<Record<BatchStatus, readonly BatchStatus[]>> = {
  validating: ['in_progress', 'failed', 'cancelling'],
  in_progress: ['finalizing', 'failed', 'cancelling'],
  finalizing: ['completed', 'expired'],
  cancelling: ['cancelled'],
  completed: [],
  failed: [],
  expired: [],
  cancelled: [],
};

function open() {
  const store = openStore(':memory:');
  const clock = settableClock();
  const events = createEvents({ store, clock });
  const file = { id: 'file_1', name: 'in', purpose: 'batch', bytes: 1, createdAt: 0, expiresAt: null };
  const batches = createBatches({ store, events, clock, files: { find: () => file } });
  const add = () => Promise.reject(new Error('No file is written here'));
  const files = { add, pathOf: add };
  const results = createResults({ store, files, folder: temporaryFolder() });
  const create = () =>
    batches.create({ owner: OWNER, inputFileId: 'file_1', endpoint: '/v1/embeddings', metadata: {} });
  return { store, events, batches, results, create };
}

test.each(Array.from({ length: 20 }, (_, seed) => seed))(
  'whatever happens to a batch, in any order and repeatedly, it moves forward and ends once (seed %d)',
  (seed) => {
    const { store, events, batches, results, create } = open();
    const { id } = create();
    const next = randomOf(seed);
    let line = 0;
    const happenings: readonly (() => void)[] = [
      () => batches.begin(id, { total: LINES, model: 'm' }),
      () => batches.fail(id, []),
      () => void batches.cancel(id, OWNER),
      () => batches.finalize(id, next() < 0.5),
      () => batches.finish(id),
      () => {
        if (batches.get(id).status !== 'in_progress') return;
        const result = {
          line: Math.max(1, (line + Math.floor(next() * 2)) % (LINES + 1)),
          isError: next() < 0.3,
          text: '{}',
        };
        store.transaction(() => results.keep(id, result));
        line = result.line;
      },
    ];
    let before = batches.get(id);
    for (let step = 0; step < 60; step++) {
      const happens = happenings[Math.floor(next() * happenings.length)];
      try {
        happens?.();
      } catch {
        // Refused, such as cancelling a batch that has ended, or a second result for a line.
      }
      const after = batches.get(id);
      expectFollows(before, after);
      expect(results.linesOf(id).size).toBe(after.completed + after.failed);
      before = after;
    }
    const ends = events.after(0).filter(({ type }) => type.startsWith('batch.'));
    expect(ends.map(({ type }) => type)).toEqual(
      OVER.includes(before.status) ? [`batch.${before.status}`] : [],
    );
    store.close();
  },
);

function expectFollows(before: Batch, after: Batch): void {
  if (after.status !== before.status) expect(NEXT[before.status]).toContain(after.status);
  expect(after.completed).toBeGreaterThanOrEqual(before.completed);
  expect(after.failed).toBeGreaterThanOrEqual(before.failed);
  expect(after.completed + after.failed).toBeLessThanOrEqual(LINES);
}

test('a second result for a line is refused along with its charge', () => {
  const { store, batches, results, create } = open();
  const { id } = create();
  batches.begin(id, { total: 2, model: 'm' });
  const keep = () => store.transaction(() => results.keep(id, { line: 1, isError: false, text: '{}' }));
  keep();
  expect(keep).toThrow('UNIQUE');
  expect(batches.get(id)).toMatchObject({ completed: 1, failed: 0 });
  store.close();
});

test('an account has at most a hundred open batches', () => {
  const { store, batches, create } = open();
  const made = Array.from({ length: 100 }, create);
  expect(create).toThrow('askd batch list');
  batches.fail(made[0]?.id ?? '', []);
  expect(create().status).toBe('validating');
  store.close();
});

/** The same numbers for the same seed. */
function randomOf(seed: number): () => number {
  let state = seed * 2_654_435_761 + 1;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0;
    return ((state ^ (state >>> 13)) >>> 0) / 2 ** 32;
  };
}
