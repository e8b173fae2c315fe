import { expect, test } from 'vitest';
import { createFairQueue, type FairQueueItem } from '../../../models/engines/fair-queue.ts';
import { collect } from '../../helpers/daemon/chat.ts';

const never = new AbortController().signal;

test('results come in order, and the end comes with the last one', async () => {
  const { items, begun } = itemsOf(3);
  const events = await collect(createFairQueue().run(items, never));
  expect(events.map((event) => event.type === 'item' && event.result)).toEqual([0, 1, 2]);
  expect(begun()).toBe(3);
});

test('without items there are no results', async () => {
  expect(await collect(createFairQueue().run([], never))).toEqual([]);
});

test('an abort ends the request after the running item, whose result is still sent', async () => {
  const abort = new AbortController();
  const { items, begun } = itemsOf(5, (index) => index === 2 && abort.abort());
  const events = await collect(createFairQueue().run(items, abort.signal));
  expect(events).toHaveLength(3);
  expect(begun()).toBe(3);
});

test('without a reader the request ends after the running item, and others have their turn', async () => {
  const turns = createFairQueue();
  const { items, begun } = itemsOf(1000);
  for await (const event of turns.run(items, never)) if (event.type === 'item' && event.index === 1) break;
  const left = begun();
  await collect(turns.run(itemsOf(3).items, never));
  expect(begun()).toBeLessThanOrEqual(left + 1);
});

test('an item that fails ends its request and no other', async () => {
  const turns = createFairQueue();
  const { items } = itemsOf(3, (index) => {
    if (index === 1) throw new Error('no vector');
  });
  const failing = collect(turns.run(items, never));
  const other = collect(turns.run(itemsOf(2).items, never));
  await expect(failing).rejects.toThrow('no vector');
  expect(await other).toHaveLength(2);
});

test('a long request gives way to a short one after its share of tokens', async () => {
  const turns = createFairQueue({ turnTokens: 4 });
  const order: string[] = [];
  const say = (name: string, count: number) => itemsOf(count, (index) => order.push(`${name}${index}`)).items;
  await Promise.all([collect(turns.run(say('long', 4), never)), collect(turns.run(say('short', 1), never))]);
  expect(order).toEqual(['long0', 'long1', 'short0', 'long2', 'long3']);
});

test('closing ends everything after the running item', async () => {
  const turns = createFairQueue();
  let closed: Promise<void> | undefined;
  const { items } = itemsOf(1000, (index) => {
    if (index === 2) closed = turns.close();
  });
  expect(await collect(turns.run(items, never))).toHaveLength(3);
  await closed;
});

/** Items of two tokens each, whose result is their index. */
function itemsOf(count: number, onWork: (index: number) => unknown = () => undefined) {
  let begun = 0;
  const items: FairQueueItem<number>[] = Array.from({ length: count }, (_, index) => ({
    promptTokens: 2,
    async work() {
      begun += 1;
      onWork(index);
      return new Promise<number>((resolve) => void setImmediate(resolve, index));
    },
  }));
  return { items, begun: () => begun };
}
