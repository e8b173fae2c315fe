import { describe, expect, test } from 'vitest';
import { eventually } from '../../../helpers/daemon/chat.ts';
import { send, startDaemon, type TestDaemon } from '../../../helpers/daemon/daemon.ts';
import { wrongByOneLetter } from '../../../helpers/accounts/near-misses.ts';

type TopUp = { checkout_url: string; amount: number; currency: string; bonus: number; total: number };

async function topUp(
  { call }: TestDaemon,
  amount: number,
  headers: Record<string, string> = {},
): Promise<TopUp> {
  return (await call('POST', '/v1/wallet/top-up', { body: { amount }, headers })).json<TopUp>();
}

async function balanceOf({ call }: TestDaemon): Promise<number> {
  return (await call('GET', '/v1/wallet/balance')).json<{ balance: number }>().balance;
}

function visit({ port }: TestDaemon, url: string, method = 'GET', headers: Record<string, string> = {}) {
  return send({ port, method, path: new URL(url).pathname, headers });
}

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

function keyWith({ services }: TestDaemon, scopes: string[]): string {
  return services.keys.create({ accountId: 'acct_local', name: 'k', scopes, expiresAt: null }).key;
}

describe('a top-up', () => {
  test('answers with an unguessable address, and what is for sale there', async () => {
    const daemon = await startDaemon({ ASKD_PROFILE: 'hosted' });
    const first = await topUp(daemon, 50);
    expect(first).toMatchObject({ amount: 50, currency: 'usd', bonus: 2.5, total: 52.5 });
    expect(first.checkout_url).toMatch(
      new RegExp(`^http://127\\.0\\.0\\.1:${daemon.port}/checkout/askpay_[\\w-]{43}$`),
    );
    expect((await topUp(daemon, 50)).checkout_url).not.toBe(first.checkout_url);
    expect(await balanceOf(daemon)).toBe(0);
  });

  test('needs the scope write, and a cookie is not enough', async () => {
    const daemon = await startDaemon();
    const { cookie } = (await daemon.call('POST', '/api/sessions')).json<{ cookie: string }>();
    const attempt = (token: string | null, headers: Record<string, string> = {}) =>
      daemon.call('POST', '/v1/wallet/top-up', { token, body: { amount: 10 }, headers });
    expect((await attempt(daemon.key)).json()).toMatchObject({
      error: { code: 'insufficient_scope', needed_scope: 'write' },
    });
    expect((await attempt(null)).status).toBe(401);
    expect((await attempt(null, { cookie })).status).toBe(401);
    expect((await attempt(keyWith(daemon, ['write']))).status).toBe(200);
  });

  test.each([
    [{}, 'missing_required_parameter', 'amount'],
    [{ amount: '50' }, 'invalid_value', 'amount'],
    [{ amount: 0 }, 'invalid_value', 'amount'],
    [{ amount: -10 }, 'invalid_value', 'amount'],
    [{ amount: 10.005 }, 'invalid_value', 'amount'],
    [{ amount: 500 }, 'contact_sales', 'amount'],
    [{ amount: 10, account: 'acct_other' }, 'unsupported_parameter', 'account'],
  ])('of %j is refused with %s', async (body, code, param) => {
    const daemon = await startDaemon();
    const reply = await daemon.call('POST', '/v1/wallet/top-up', { body });
    expect([reply.status, reply.json()]).toMatchObject([400, { error: { code, param } }]);
  });

  test('sent twice under one key is one checkout', async () => {
    const daemon = await startDaemon();
    const headers = { 'idempotency-key': 'the-same' };
    const [first, second] = [await topUp(daemon, 25, headers), await topUp(daemon, 25, headers)];
    expect(second).toEqual(first);
    expect(daemon.services.store.prepare('SELECT id FROM checkouts').all()).toHaveLength(1);
  });
});

describe('the checkout page', () => {
  test('shows what is bought, says that no money moves, and adds the credits on confirmation', async () => {
    const daemon = await startDaemon({ ASKD_PROFILE: 'hosted' });
    const { checkout_url: url } = await topUp(daemon, 100);
    const page = await visit(daemon, url);
    expect(page.status).toBe(200);
    for (const text of ['100.00 USD', '10.00', '110.00', 'No money is charged'])
      expect(page.text).toContain(text);
    expect(page.headers).toMatchObject({
      'cache-control': 'no-store',
      'x-frame-options': 'DENY',
      'referrer-policy': 'same-origin',
    });
    expect(page.headers['content-security-policy']).toContain("form-action 'self'");
    expect(await balanceOf(daemon)).toBe(0);

    const confirmed = await visit(daemon, url, 'POST', FORM);
    expect([confirmed.status, confirmed.headers.location]).toEqual([303, new URL(url).pathname]);
    expect((await visit(daemon, url)).text).toContain('110.00 credits were added');
    expect(await balanceOf(daemon)).toBe(110);
    expect(daemon.services.auditLog.list({ limit: 10, action: 'top_up' }).records).toMatchObject([
      {
        ...{
          action: 'top_up.pay',
          actor: { kind: 'nobody' },
          address: '127.0.0.1',
          account_id: 'acct_local',
        },
        after: { amount: 100, bonus: 10, provider: 'local', kind: 'manual' },
      },
      { action: 'top_up.open' },
    ]);
  });

  test('adds them once, however often and however fast it is confirmed', async () => {
    const daemon = await startDaemon({ ASKD_PROFILE: 'hosted' });
    const { checkout_url: url } = await topUp(daemon, 10);
    const replies = await Promise.all(Array.from({ length: 8 }, () => visit(daemon, url, 'POST', FORM)));
    expect(replies.map(({ status }) => status)).toEqual(Array<number>(8).fill(303));
    expect(await balanceOf(daemon)).toBe(10);
  });

  test('is over after a day', async () => {
    const daemon = await startDaemon({ ASKD_PROFILE: 'hosted' });
    const { checkout_url: url } = await topUp(daemon, 10);
    daemon.services.store.prepare('UPDATE checkouts SET expires_at = 1').run();
    expect((await visit(daemon, url)).text).toContain('This checkout has expired');
    expect((await visit(daemon, url, 'POST', FORM)).status).toBe(303);
    expect(await balanceOf(daemon)).toBe(0);
  });

  test('does not exist at an address with one wrong letter, or at a malformed one', async () => {
    const daemon = await startDaemon();
    const { checkout_url: url } = await topUp(daemon, 10);
    const base = url.slice(0, url.lastIndexOf('/'));
    for (const address of [
      wrongByOneLetter(url),
      `${base}/%27%20OR%201=1`,
      `${base}/x`,
      `${base}/%3Cscript%3E`,
    ]) {
      const page = await visit(daemon, address);
      expect([page.status, page.text.includes('No such checkout')]).toEqual([404, true]);
      expect(page.text).not.toContain('<script');
      expect((await visit(daemon, address, 'POST', FORM)).status).toBe(404);
    }
  });

  test('can be confirmed only by itself, and not by a page that learnt its address', async () => {
    const daemon = await startDaemon({ ASKD_PROFILE: 'hosted' });
    const { checkout_url: url } = await topUp(daemon, 10);
    const foreign: Record<string, string>[] = [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'http://evil.example' },
      { origin: 'null' },
    ];
    for (const headers of foreign) {
      expect((await visit(daemon, url, 'POST', { ...FORM, ...headers })).status).toBe(403);
    }
    expect(await balanceOf(daemon)).toBe(0);
  });

  test('does not appear with its address in any log', async () => {
    const daemon = await startDaemon();
    const { checkout_url: url } = await topUp(daemon, 10);
    await visit(daemon, url);
    const { readFileSync } = await import('node:fs');
    const log = () => readFileSync(`${daemon.home}/logs/askd.log`, 'utf8');
    await eventually(log).toContain('/checkout/askpay_[redacted]');
    expect(log()).not.toContain(url.slice(-43));
  });
});

describe('the settings of the wallet', () => {
  const ALL = {
    auto_topup: { enabled: false, threshold: 5, amount: 25.5 },
    spending_limit: { enabled: true, monthly_limit: 30, action: 'alert' },
    low_balance_alert: { enabled: true, threshold: 7.25, email: 'owner@example.com' },
  };

  test('are changed part by part', async () => {
    const { call } = await startDaemon({ ASKD_PROFILE: 'hosted' });
    const before = (await call('GET', '/api/wallet/settings')).json<typeof ALL>();
    expect(before.auto_topup.enabled).toBe(false);
    expect((await call('PUT', '/api/wallet/settings', { body: ALL })).json()).toEqual(ALL);
    const limit = { enabled: false, monthly_limit: 1, action: 'block' };
    const changed = await call('PUT', '/api/wallet/settings', { body: { spending_limit: limit } });
    expect(changed.json()).toEqual({ ...ALL, spending_limit: limit });
    expect((await call('GET', '/api/wallet/settings')).json()).toEqual({ ...ALL, spending_limit: limit });
    const without = { ...ALL.low_balance_alert, email: null };
    expect(
      (await call('PUT', '/api/wallet/settings', { body: { low_balance_alert: without } })).json(),
    ).toMatchObject({ low_balance_alert: without });
  });

  test.each([
    [{}, 'invalid_value'],
    [{ auto_topup: { enabled: true } }, 'missing_required_parameter'],
    [{ auto_topup: { enabled: true, threshold: 5, amount: 500 } }, 'invalid_value'],
    [{ auto_topup: { enabled: true, threshold: 5, amount: 0 } }, 'invalid_value'],
    [{ auto_topup: { enabled: true, threshold: -5, amount: 10 } }, 'invalid_value'],
    [{ spending_limit: { enabled: true, monthly_limit: 10, action: 'panic' } }, 'invalid_value'],
    [{ low_balance_alert: { enabled: true, threshold: 1, email: 'nobody' } }, 'invalid_value'],
    [{ low_balance_alert: { enabled: true, threshold: 1, email: 'a@b.c\r\nBcc: d@e.f' } }, 'invalid_value'],
    [{ colour: 'red' }, 'unsupported_parameter'],
  ])('refuse %j with %s', async (body, code) => {
    const { call } = await startDaemon();
    const reply = await call('PUT', '/api/wallet/settings', { body });
    expect([reply.status, reply.json()]).toMatchObject([400, { error: { code } }]);
  });

  test('are open to sessions and the command line, and not to keys', async () => {
    const daemon = await startDaemon();
    for (const path of ['/api/wallet', '/api/wallet/settings']) {
      expect((await daemon.call('GET', path, { token: keyWith(daemon, ['admin']) })).status).toBe(401);
    }
  });

  test('switching on automatic top-up tops up at once', async () => {
    const daemon = await startDaemon({ ASKD_PROFILE: 'hosted' });
    const auto_topup = { enabled: true, threshold: 5, amount: 25 };
    await daemon.call('PUT', '/api/wallet/settings', { body: { auto_topup } });
    await eventually(() => balanceOf(daemon)).toBe(25);
    expect((await daemon.call('GET', '/api/wallet')).json()).toMatchObject({
      balance: { balance: 25 },
      transactions: [{ type: 'topup', amount: 25, description: 'Automatic top-up' }],
    });
  });
});
