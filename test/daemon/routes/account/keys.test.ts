import { expect, test } from 'vitest';
import { startDaemon } from '../../../helpers/daemon/daemon.ts';

test('a key is created with the contract’s fields, its secret once', async () => {
  const { call } = await startDaemon();
  const reply = await call('POST', '/api/keys', {
    body: { name: 'app', expires_at: '2999-01-01T00:00:00Z' },
  });
  expect(reply.status).toBe(201);
  expect(reply.headers['cache-control']).toBe('no-store');
  const record = reply.json<Record<string, string>>();
  expect(Object.keys(record).sort()).toEqual([
    'created_at',
    'expires_at',
    'id',
    'key',
    'key_prefix',
    'name',
    'scopes',
  ]);
  expect(record).toMatchObject({
    name: 'app',
    scopes: ['chat', 'read'],
    expires_at: '2999-01-01T00:00:00.000Z',
  });
  const list = await call('GET', '/api/keys');
  expect(list.text).not.toContain(record['key']);
  expect(list.json<unknown[]>()).toHaveLength(2);
});

test.each([
  [{}, 'missing_required_parameter', 'name'],
  [{ name: '' }, 'invalid_value', 'name'],
  [{ name: 'x'.repeat(256) }, 'invalid_value', 'name'],
  [{ name: 'x', scopes: ['everything'] }, 'invalid_value', 'scopes[0]'],
  [{ name: 'x', scopes: [] }, 'invalid_value', 'scopes'],
  [{ name: 'x', expires_at: 'tomorrow' }, 'invalid_value', 'expires_at'],
  [{ name: 'x', expires_at: '2001-01-01T00:00:00Z' }, 'invalid_value', 'expires_at'],
  [{ name: 'x', colour: 'red' }, 'unsupported_parameter', 'colour'],
])('the body %j is refused with %s for %s', async (body, code, param) => {
  const { call } = await startDaemon();
  const reply = await call('POST', '/api/keys', { body });
  expect(reply.status).toBe(400);
  expect(reply.json()).toMatchObject({ error: { code, param } });
});

test('the eleventh key is refused, and the answer says that waiting does not help', async () => {
  const { call } = await startDaemon();
  const replies = await Promise.all(
    Array.from({ length: 12 }, () => call('POST', '/api/keys', { body: { name: 'x' } })),
  );
  expect(replies.filter(({ status }) => status === 201)).toHaveLength(9);
  const refused = replies.find(({ status }) => status === 409);
  expect(refused?.json()).toMatchObject({ error: { code: 'key_limit_reached' } });
  expect(refused?.headers['x-should-retry']).toBe('false');
});
