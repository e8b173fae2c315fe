import { expect, onTestFinished, test } from 'vitest';
import { createResponses } from '../../../src/responses/responses.ts';
import { openStore } from '../../../src/store/store.ts';
import { settableClock } from '../../helpers/clock.ts';

const DAY_MS = 86_400_000;

test('stored answers expire, and a continued one is kept as long as its latest answer', () => {
  const clock = settableClock();
  const store = openStore(':memory:');
  onTestFinished(() => store.close());
  const responses = createResponses({ store, clock, ttlMs: 30 * DAY_MS });
  const caller = { accountId: 'a', keyId: 'k' };
  const message = (id: string) => ({ id, type: 'message' });
  responses.keep(caller, { answer: { id: 'r1' }, input: [message('m1')], output: [message('m2')] });
  responses.keep(caller, { answer: { id: 'r2' }, input: [], output: [] });
  clock.advance(20 * DAY_MS);
  responses.keep(caller, { answer: { id: 'r3' }, previousId: 'r1', input: [message('m3')], output: [] });
  clock.advance(20 * DAY_MS);
  expect(() => responses.find('r2', caller)).toThrow('There is no response "r2"');
  expect(responses.conversationOf('r3', caller, 'x').map(({ id }) => id)).toEqual(['m1', 'm2', 'm3']);
  responses.prune();
  const left = () =>
    store
      .prepare<{ id: string }>('SELECT id FROM responses ORDER BY id')
      .all()
      .map(({ id }) => id);
  expect(left()).toEqual(['r1', 'r3']);
  clock.advance(30 * DAY_MS);
  responses.prune();
  expect(left()).toEqual([]);
  expect(store.prepare('SELECT * FROM response_items').all()).toEqual([]);
});
