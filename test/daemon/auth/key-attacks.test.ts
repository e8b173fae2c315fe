import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { generateKey } from '../../../src/access/key-format.ts';
import { ACTIVE_KEYS_MAX } from '../../../src/access/keys.ts';
import { startDaemon, type TestDaemon } from '../../helpers/daemon/daemon.ts';
import { wrongByOneLetter } from '../../helpers/accounts/near-misses.ts';

const SQL = [
  "' OR '1'='1",
  "'; DROP TABLE api_keys; --",
  '" UNION SELECT hash FROM api_keys --',
  '1); DELETE FROM wallets; --',
  "%' OR 1=1 /*",
  '${jndi}\\',
];

function newKey({ services }: TestDaemon, scopes = ['read'], expiresAt: number | null = null) {
  return services.keys.create({ accountId: 'acct_local', name: 'k', scopes, expiresAt });
}

function balance({ call }: TestDaemon, authorization: string | undefined) {
  return call('GET', '/v1/wallet/balance', {
    token: null,
    ...(authorization !== undefined && { headers: { authorization } }),
  });
}

function activeKeys({ services }: TestDaemon): number {
  return services.keys.countActive('acct_local');
}

type Attack = [
  what: string,
  status: number,
  code: string,
  authorization: (daemon: TestDaemon) => Promise<string | undefined> | string | undefined,
];

const ATTACKS: Attack[] = [
  ['no key', 401, 'invalid_api_key', () => undefined],
  ['an empty header', 401, 'invalid_api_key', () => ''],
  ['a key without its word', 401, 'invalid_api_key', (daemon) => newKey(daemon).key],
  ['a key as Basic', 401, 'invalid_api_key', (daemon) => `Basic ${newKey(daemon).key}`],
  ['two keys', 401, 'invalid_api_key', (daemon) => `Bearer ${newKey(daemon).key} ${newKey(daemon).key}`],
  ['a well-formed key that nobody made', 401, 'invalid_api_key', () => `Bearer ${generateKey()}`],
  [
    'a key with one wrong character',
    401,
    'invalid_api_key',
    (daemon) => `Bearer ${newKey(daemon).key.slice(0, -1)}!`,
  ],
  ['a key in capitals', 401, 'invalid_api_key', (daemon) => `Bearer ${newKey(daemon).key.toUpperCase()}`],
  ['a key cut short', 401, 'invalid_api_key', (daemon) => `Bearer ${newKey(daemon).key.slice(0, 30)}`],
  ['the hash of a key', 401, 'invalid_api_key', () => `Bearer ask_${randomBytes(23).toString('hex')}`],
  ['a very long key', 401, 'invalid_api_key', () => `Bearer ask_${'a'.repeat(8000)}`],
  [
    'a root token that is none',
    401,
    'not_authenticated',
    (daemon) => `Bearer ${wrongByOneLetter(daemon.services.rootToken.current())}`,
  ],
  [
    'a revoked key',
    401,
    'invalid_api_key',
    async (daemon) => {
      const { id, key } = newKey(daemon);
      await daemon.call('DELETE', `/api/keys/${id}`);
      return `Bearer ${key}`;
    },
  ],
  [
    'a key that is switched off',
    401,
    'invalid_api_key',
    async (daemon) => {
      const { id, key } = newKey(daemon);
      const off = await daemon.call('PATCH', `/api/keys/${id}`, { body: { is_active: false } });
      expect(off.status).toBe(200);
      return `Bearer ${key}`;
    },
  ],
  [
    'an expired key',
    401,
    'expired_api_key',
    (daemon) => {
      const { id, key } = newKey(daemon);
      daemon.services.store.prepare('UPDATE api_keys SET expires_at = 1000 WHERE id = ?').run(id);
      return `Bearer ${key}`;
    },
  ],
  ['a key of another scope', 403, 'insufficient_scope', (daemon) => `Bearer ${newKey(daemon, ['chat']).key}`],
  ...SQL.map((text): Attack => [
    `SQL in the header (${text})`,
    401,
    'invalid_api_key',
    () => `Bearer ${text.replaceAll(' ', '+')}`,
  ]),
];

describe('authentication accepts nothing but a right key:', () => {
  test.each(ATTACKS)('%s is %d %s, and is not repeated', async (_what, status, code, authorization) => {
    const daemon = await startDaemon();
    const header = await authorization(daemon);
    const before = activeKeys(daemon);
    const reply = await balance(daemon, header);
    expect([reply.status, reply.json<{ error: { code: string } }>().error.code]).toEqual([status, code]);
    const secret = header?.split(' ').at(-1) ?? '';
    if (secret.length > 8) expect(reply.text + JSON.stringify(reply.headers)).not.toContain(secret);
    if (status === 401) expect(reply.headers['www-authenticate']).toBe('Bearer');
    expect(activeKeys(daemon)).toBe(before);
    const right = await balance(daemon, `Bearer ${daemon.key}`);
    expect(right.status).toBe(200);
  });

  test('a key in the address or in a cookie is not accepted', async () => {
    const daemon = await startDaemon();
    const { key } = newKey(daemon);
    for (const path of [`/v1/wallet/balance?api_key=${key}`, `/v1/wallet/balance?key=${key}&token=${key}`]) {
      const reply = await daemon.call('GET', path, { token: null });
      expect([reply.status, reply.text.includes(key)]).toEqual([401, false]);
    }
    const cookie = await daemon.call('GET', '/v1/wallet/balance', {
      token: null,
      headers: { cookie: `key=${key}` },
    });
    expect(cookie.status).toBe(401);
  });

  test('a key cannot name an account: a body that does is refused', async () => {
    const daemon = await startDaemon();
    const reply = await daemon.call('POST', '/api/keys', { body: { name: 'k', account_id: 'acct_other' } });
    expect([reply.status, reply.json<{ error: { code: string } }>().error.code]).toEqual([
      400,
      'unsupported_parameter',
    ]);
  });
});

describe('ten keys at most', () => {
  test('however many are created, switched on and replaced at the same moment', async () => {
    const daemon = await startDaemon();
    const { call, services } = daemon;
    const ids = Array.from({ length: 5 }, () => newKey(daemon).id);
    for (const id of ids) await call('PATCH', `/api/keys/${id}`, { body: { is_active: false } });
    const replies = await Promise.all([
      ...Array.from({ length: 20 }, (_, n) => call('POST', '/api/keys', { body: { name: `n${n}` } })),
      ...ids.map((id) => call('PATCH', `/api/keys/${id}`, { body: { is_active: true } })),
    ]);
    expect(activeKeys(daemon)).toBe(ACTIVE_KEYS_MAX);
    expect(replies.every(({ status }) => [200, 201, 409].includes(status))).toBe(true);
    for (const reply of replies.filter(({ status }) => status === 409)) {
      expect(reply.headers['x-should-retry']).toBe('false');
    }
    expect(services.keys.list('acct_local').filter((key) => key.is_active)).toHaveLength(ACTIVE_KEYS_MAX);
  });
});

describe('SQL in a string is a string:', () => {
  test.each(SQL)('%s', async (text) => {
    const daemon = await startDaemon();
    const { call } = daemon;
    const created = await call('POST', '/api/keys', { body: { name: text } });
    expect(created.json()).toMatchObject({ name: text });
    const at = encodeURIComponent(text);
    const replies = [
      await call('DELETE', `/api/keys/${at}`),
      await call('PATCH', `/api/keys/${at}`, { body: { name: text } }),
      await call('GET', `/v1/models/${at}`),
      await call('POST', '/v1/chat/completions', {
        body: { model: text, messages: [{ role: 'user', content: text }] },
      }),
      await call('POST', '/api/daemon/stop', { body: { model: text } }),
      await call('POST', '/api/daemon/bind', { body: { service: text, artifact: text } }),
      await call('PUT', '/api/account/tier', { body: { tier: text } }),
    ];
    expect(replies.every(({ status }) => status < 500)).toBe(true);
    expect(activeKeys(daemon)).toBe(2);
    const audit = await call('GET', '/api/daemon/ledger');
    expect(audit.json()).toMatchObject({ wallets: 1, findings: [] });
  });
});
