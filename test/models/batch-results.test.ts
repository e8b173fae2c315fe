import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createBatcher } from '../../models/batch-results.ts';
import type { ItemEvent } from '../../src/runtime/engine.ts';

const count: ItemEvent<string> = { type: 'prompt', promptTokens: 3 };
const item = (index: number): ItemEvent<string> => ({
  type: 'item',
  index,
  promptTokens: 1,
  result: 'vector',
});

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

test('a short request is sent whole, with its last message', () => {
  const { gatherer, sent } = gathering();
  gatherer.add(count);
  vi.advanceTimersByTime(19);
  gatherer.add(item(0));
  expect(gatherer.take()).toEqual([count, item(0)]);
  vi.advanceTimersByTime(1000);
  gatherer.flush();
  expect(sent()).toEqual([]);
});

test('token counts are sent early, since holds depend on them, with the results that exist by then', () => {
  const { gatherer, sent } = gathering();
  gatherer.add(count);
  vi.advanceTimersByTime(10);
  gatherer.add(item(0));
  expect(sent()).toEqual([]);
  vi.advanceTimersByTime(10);
  expect(sent()).toEqual([['prompt', 0]]);
  gatherer.add(item(1));
  vi.advanceTimersByTime(49);
  expect(sent()).toEqual([['prompt', 0]]);
});

test('the token count of long texts is sent first: a client that cannot pay is refused before any is evaluated', () => {
  const { gatherer, sent } = gathering();
  gatherer.add({ type: 'prompt', promptTokens: 129 });
  expect(sent()).toEqual([['prompt']]);
});

test('a long request reports its progress steadily', () => {
  const { gatherer, sent } = gathering();
  for (let index = 0; index < 12; index++) {
    vi.advanceTimersByTime(10);
    gatherer.add(item(index));
  }
  expect(sent()).toEqual([
    [0, 1, 2, 3, 4],
    [5, 6, 7, 8, 9],
  ]);
});

test('a result does not wait for the next one', () => {
  const { gatherer, sent } = gathering();
  gatherer.add(item(0));
  vi.advanceTimersByTime(50);
  expect(sent()).toEqual([[0]]);
  vi.advanceTimersByTime(5000);
  gatherer.add(item(1));
  expect(sent()).toEqual([[0], [1]]);
});

test('batched results are sent at once when the request ends, and only once', () => {
  const { gatherer, sent } = gathering();
  gatherer.add(item(0));
  gatherer.add(item(1));
  gatherer.flush();
  gatherer.flush();
  vi.advanceTimersByTime(1000);
  expect(sent()).toEqual([[0, 1]]);
});

function gathering() {
  const groups: ItemEvent<string>[][] = [];
  const gatherer = createBatcher<string>((events) => groups.push(events), { results: 50, count: 20 });
  const nameOf = (event: ItemEvent<string>) => (event.type === 'item' ? event.index : event.type);
  return { gatherer, sent: () => groups.map((group) => group.map(nameOf)) };
}
