import { expect, test } from 'vitest';
import { createGatherer } from '../../models/gather.ts';
import type { ItemEvent } from '../../src/runtime/engine.ts';

const item = (index: number): ItemEvent<string> => ({
  type: 'item',
  index,
  promptTokens: 1,
  result: 'vector',
});

test('what the engine counted leaves at once, results leave together, and the last ones when it is done', () => {
  const { gatherer, sent } = gathering();
  gatherer.add({ type: 'prompt', promptTokens: 3 });
  expect(sent()).toEqual([['prompt']]);
  for (const index of [0, 1, 2]) gatherer.add(item(index));
  expect(sent()).toEqual([['prompt']]);
  gatherer.flush();
  gatherer.flush();
  expect(sent()).toEqual([['prompt'], [0, 1, 2]]);
});

test('a long request tells five times a second how far it is', () => {
  const { gatherer, sent, pass } = gathering();
  gatherer.add(item(0));
  pass(199);
  gatherer.add(item(1));
  pass(1);
  gatherer.add(item(2));
  gatherer.add(item(3));
  expect(sent()).toEqual([[0, 1, 2]]);
});

function gathering() {
  let nowMs = 1000;
  const groups: ItemEvent<string>[][] = [];
  const gatherer = createGatherer<string>(
    (events) => groups.push(events),
    () => nowMs,
  );
  const nameOf = (event: ItemEvent<string>) => (event.type === 'item' ? event.index : event.type);
  return {
    gatherer,
    sent: () => groups.map((group) => group.map(nameOf)),
    pass: (ms: number) => void (nowMs += ms),
  };
}
