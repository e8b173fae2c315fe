import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createTurns, type TurnItem } from '../../../models/engines/turns.ts';
import { collect } from '../../helpers/chat.ts';

const never = new AbortController().signal;
const LANES = 3;
const LANE_TOKENS = 100;

/** Work that ends when the test says so, and that knows who else runs. */
function createWorkshop() {
  const running = new Map<number | undefined, number>();
  let most = 0;
  let beside = 0;
  const item = (promptTokens: number, result: number, rounds: number): TurnItem<number> => ({
    promptTokens,
    async work(lane) {
      expect(running.has(lane), 'a lane has one item at a time').toBe(false);
      running.set(lane, result);
      most = Math.max(most, running.size);
      if (running.has(undefined)) beside = Math.max(beside, running.size - 1);
      for (let round = 0; round < rounds; round++) await new Promise((resolve) => setImmediate(resolve));
      running.delete(lane);
      if (result < 0) throw new Error('failed');
      return result;
    },
  });
  return { item, most: () => most, beside: () => beside, running: () => running.size };
}

describe('the turns of an engine that reads texts', () => {
  test('never run more items than there are lanes, nor any beside a long one, and lose none', async () => {
    const lengths = fc.array(fc.record({ tokens: fc.nat(150), rounds: fc.nat(4) }), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(fc.array(lengths, { minLength: 1, maxLength: 4 }), async (requests) => {
        const workshop = createWorkshop();
        const turns = createTurns({ turnTokens: 120, lanes: LANES, laneTokens: LANE_TOKENS });
        const answers = requests.map((items) => {
          const work = items.map(({ tokens, rounds }, index) => workshop.item(tokens, index, rounds));
          return collect(turns.run(work, never));
        });
        for (const [request, events] of (await Promise.all(answers)).entries()) {
          const items = events.flatMap((event) => (event.type === 'item' ? [event] : []));
          expect(items.map(({ index }) => index)).toEqual(requests[request]?.map((_, index) => index));
          expect(items.map(({ result }) => result)).toEqual(requests[request]?.map((_, index) => index));
        }
        expect(workshop.most()).toBeLessThanOrEqual(LANES);
        expect(workshop.beside()).toBe(0);
        await turns.close();
      }),
      { numRuns: 150 },
    );
  });

  test('do short texts of one request side by side, and a lone one with all there is', async () => {
    const lanes: (number | undefined)[] = [];
    const item = (): TurnItem<number> => ({
      promptTokens: 5,
      work: (lane) => {
        lanes.push(lane);
        return new Promise((resolve) => setImmediate(() => resolve(1)));
      },
    });
    const turns = createTurns({ lanes: 2, laneTokens: LANE_TOKENS });
    await collect(turns.run([item()], never));
    await collect(turns.run([item(), item(), item(), item()], never));
    expect(lanes[0]).toBeUndefined();
    expect(new Set(lanes.slice(1, 4))).toEqual(new Set([0, 1]));
  });

  test('end the request whose item fails, and no other', async () => {
    const workshop = createWorkshop();
    const turns = createTurns({ lanes: LANES, laneTokens: LANE_TOKENS });
    const bad = [1, -1, 2, 3].map((result) => workshop.item(5, result, 2));
    const good = [1, 2, 3].map((result) => workshop.item(5, result, 1));
    const [refused, answered] = await Promise.allSettled([
      collect(turns.run(bad, never)),
      collect(turns.run(good, never)),
    ]);
    expect(refused).toMatchObject({ status: 'rejected', reason: { message: 'failed' } });
    expect(answered).toMatchObject({ status: 'fulfilled', value: { length: 3 } });
  });

  test('begin nothing after an abort, and close when the last item is done', async () => {
    const workshop = createWorkshop();
    const turns = createTurns({ lanes: 2, laneTokens: LANE_TOKENS });
    const leaving = new AbortController();
    const items = Array.from({ length: 50 }, (_, index) => workshop.item(5, index, 2));
    let heard = 0;
    for await (const event of turns.run(items, leaving.signal)) {
      if (event.type === 'item' && ++heard === 3) leaving.abort();
    }
    expect(heard).toBeLessThan(8);
    const late = collect(turns.run(items, never));
    await turns.close();
    expect(workshop.running()).toBe(0);
    expect((await late).length).toBeLessThan(items.length);
  });
});
