import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createOutbox } from '../../models/outbox.ts';
import type { FromRunner } from '../../src/runtime/wire.ts';

const event = (id: number): FromRunner => ({ type: 'event', id, event: 'word' });

function posting() {
  const posted: unknown[] = [];
  return { posted, outbox: createOutbox((message) => void posted.push(message)) };
}

test('the events of one turn leave together, after it', async () => {
  const { posted, outbox } = posting();
  outbox.sendSoon(event(1));
  await Promise.resolve();
  outbox.sendSoon(event(2));
  expect(posted).toEqual([]);
  await turn();
  expect(posted).toEqual([[event(1), event(2)]]);
});

test('an event that is alone leaves as it is, and nothing leaves twice', async () => {
  const { posted, outbox } = posting();
  outbox.sendSoon(event(1));
  await turn();
  outbox.flush();
  await turn();
  expect(posted).toEqual([event(1)]);
});

test('a message that is sent now leaves after the events that wait', async () => {
  const { posted, outbox } = posting();
  outbox.sendSoon(event(1));
  outbox.send({ type: 'progress', fraction: 1 });
  await turn();
  expect(posted).toEqual([event(1), { type: 'progress', fraction: 1 }]);
});
