import { expect, test } from 'vitest';
import { createEventQueue } from '../../../models/engines/event-queue.ts';

async function drain(queue: AsyncIterable<number>): Promise<number[]> {
  const seen: number[] = [];
  for await (const event of queue) seen.push(event);
  return seen;
}

test('gives every event in order, both before and after the reader arrived', async () => {
  const queue = createEventQueue<number>();
  queue.push(1);
  queue.push(2);
  const seen = drain(queue);
  await Promise.resolve();
  queue.push(3);
  queue.end();
  queue.push(4);
  expect(await seen).toEqual([1, 2, 3]);
});

test('fails after the events that came before', async () => {
  const queue = createEventQueue<number>();
  const seen: number[] = [];
  queue.push(1);
  queue.fail(new Error('broken'));
  const reading = (async () => {
    for await (const event of queue) seen.push(event);
  })();
  await expect(reading).rejects.toThrow('broken');
  expect(seen).toEqual([1]);
});
