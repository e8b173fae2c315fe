import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { verifyWebhook } from 'askd/client';
import { expect, test } from 'vitest';
import { createTestClock } from '../../../src/base/test-clock.ts';
import { eventually } from '../../helpers/daemon/chat.ts';
import { startDaemon } from '../../helpers/daemon/daemon.ts';
import { answers } from '../../helpers/servers/receiver.ts';
import { receiver } from '../../helpers/servers/webhooks.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';

const WEBHOOKS = { ASKD_WEBHOOKS_ALLOW_CIDRS: '127.0.0.0/8' };

async function daemonForTests(env: Record<string, string> = {}) {
  const script = join(temporaryFolder(), 'answers.json');
  writeFileSync(script, JSON.stringify({ rules: [{ answer: { text: 'Done.' } }] }));
  const daemon = await startDaemon(
    { ASKD_SCRIPTED_ANSWERS: script, ...env },
    { testClock: createTestClock() },
  );
  const advance = async (text: string) => {
    const { status, text: body } = await daemon.call('PUT', '/api/test/clock', { body: { advance: text } });
    if (status !== 200) throw new Error(body);
  };
  const setWallet = (balance: number) => daemon.call('PUT', '/api/test/wallet', { body: { balance } });
  const ask = (token = daemon.key) => {
    const body = { model: 'scripted', messages: [{ role: 'user', content: 'Go.' }] };
    return daemon.call('POST', '/v1/chat/completions', { body, token });
  };
  const codeOf = async (answer: ReturnType<typeof ask>) => {
    const { status, json } = await answer;
    return status === 200 ? 200 : json<{ error: { code: string } }>().error.code;
  };
  /** Not after a fixed number of requests, since a minute may end while they are being sent. */
  const firstRefusal = async () => {
    for (let sent = 0; sent < 30; sent += 1) {
      const code = await codeOf(ask());
      if (code !== 200) return code;
    }
    return undefined;
  };
  return { ...daemon, advance, setWallet, ask, codeOf, firstRefusal };
}

test('no other daemon lets its clock or wallet be set, and no API key allows it', async () => {
  const { call } = await startDaemon();
  expect(await call('PUT', '/api/test/clock', { body: { advance: '1 s' } })).toMatchObject({ status: 404 });
  expect(await call('PUT', '/api/test/wallet', { body: { balance: 1 } })).toMatchObject({ status: 404 });
  const tests = await daemonForTests();
  expect(await tests.call('GET', '/api/test/clock', { token: tests.key })).toMatchObject({ status: 401 });
});

test('a minute passes at once, and the requests of a minute are available again', async () => {
  const daemon = await daemonForTests();
  await daemon.call('PUT', '/api/account/profile', { body: { profile: 'hosted' } });
  expect(await daemon.firstRefusal()).toBe('rate_limit_exceeded');
  await daemon.advance('1 minute');
  expect(await daemon.codeOf(daemon.ask())).toBe(200);
});

test('the tokens of a month are available again in the next one', async () => {
  const daemon = await daemonForTests();
  const limits = { rpm: 100, tpm: 1_000_000, monthly_tokens: 20 };
  await daemon.call('PUT', '/api/account/tier', { body: { tier: 'enterprise', ...limits } });
  expect(await daemon.firstRefusal()).toBe('insufficient_quota');
  await daemon.advance('31 days');
  expect(await daemon.codeOf(daemon.ask())).toBe(200);
});

test('a key expires on its date', async () => {
  const daemon = await daemonForTests();
  const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
  const body = { name: 'short', expires_at: expiresAt };
  const { key } = (await daemon.call('POST', '/api/keys', { body })).json<{ key: string }>();
  expect(await daemon.codeOf(daemon.ask(key))).toBe(200);
  await daemon.call('PUT', '/api/test/clock', { body: { now: expiresAt } });
  expect(await daemon.codeOf(daemon.ask(key))).toBe('expired_api_key');
});

test('a stored response is deleted after the time by which the clock was moved', async () => {
  const daemon = await daemonForTests();
  const body = { model: 'scripted', input: 'Go.', store: true };
  const { id } = (await daemon.call('POST', '/v1/responses', { body })).json<{ id: string }>();
  const rows = () => daemon.services.store.prepare('SELECT id FROM responses').all();
  expect(rows()).toEqual([{ id }]);
  await daemon.advance('52 weeks');
  expect(rows()).toEqual([]);
});

test('a loaded model is unloaded when its time is over', async () => {
  const daemon = await daemonForTests({ ASKD_KEEP_ALIVE: '5m' });
  await daemon.ask();
  expect(daemon.services.pool.status()).toHaveLength(1);
  await daemon.advance('5 minutes');
  await eventually(() => daemon.services.pool.status().length).toBe(0);
});

test('a webhook is tried again at once, signed with the time of its receiver', async () => {
  const inbox = await receiver({ behave: answers(500) });
  const daemon = await daemonForTests({ ...WEBHOOKS, ASKD_WEBHOOKS_RETRY_WAITS_MS: '86400000' });
  const body = { name: 'inbox', url: inbox.url, events: ['api_key.created'] };
  const { secret } = (await daemon.call('POST', '/api/webhooks', { body })).json<{ secret: string }>();
  await daemon.call('POST', '/api/keys', { body: { name: 'one' } });
  await eventually(() => inbox.deliveries.length).toBe(1);
  inbox.behaves(answers(200));
  await daemon.advance('1 day');
  await eventually(() => inbox.deliveries.length).toBe(2);
  const [, again] = inbox.deliveries;
  await expect(verifyWebhook({ ...again!, secret })).resolves.toMatchObject({ type: 'api_key.created' });
});

test('the wallet is set, up and down, and its ledger stays correct', async () => {
  const daemon = await daemonForTests();
  expect((await daemon.setWallet(250.5)).json()).toMatchObject({ balance: 250.5 });
  expect((await daemon.setWallet(0)).json()).toMatchObject({ balance: 0 });
  expect(await daemon.codeOf(daemon.ask())).toBe('insufficient_credits');
  expect((await daemon.setWallet(3)).json()).toMatchObject({ balance: 3 });
  expect(await daemon.codeOf(daemon.ask())).toBe(200);
  expect((await daemon.call('GET', '/api/daemon/ledger')).json()).toMatchObject({ findings: [] });
});

test('a balance below what running requests hold is refused', async () => {
  const daemon = await daemonForTests();
  const { store, wallet } = daemon.services;
  store.transaction(() => wallet.holds.open('acct_local', 'req_1', { leastN: 5e9, wantN: 5e9 }));
  expect(await daemon.setWallet(4)).toMatchObject({ status: 400 });
  expect(wallet.balance('acct_local')).toMatchObject({ balance: 100, held: 5 });
});
