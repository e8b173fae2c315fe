import { expect, test } from 'vitest';
import { openAccounts } from '../../helpers/accounts/accounts.ts';

test('an event is rolled back with its transaction', () => {
  const { store, events } = openAccounts();
  const record = () => events.record('chat.started', { request_id: 'req_1', model: 'm', stream: false });
  expect(() =>
    store.transaction(() => {
      record();
      throw new Error('no');
    }),
  ).toThrow('no');
  expect(events.after(0)).toEqual([]);
  store.transaction(record);
  expect(events.after(0)).toMatchObject([{ type: 'chat.started', data: { request_id: 'req_1' } }]);
});

test('an event cannot be recorded outside a transaction', () => {
  const { events } = openAccounts();
  expect(() => events.record('chat.started', { request_id: 'r', model: 'm', stream: false })).toThrow(
    /outside/,
  );
});

test('a recorded event cannot be changed', () => {
  const { store, events } = openAccounts();
  store.transaction(() => events.record('chat.started', { request_id: 'r', model: 'm', stream: false }));
  expect(() => store.prepare("UPDATE events SET type = 'other'").run()).toThrow('append-only');
});
