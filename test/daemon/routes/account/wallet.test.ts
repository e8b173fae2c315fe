import { describe, expect, test } from 'vitest';
import { toNano } from '../../../../src/base/money.ts';
import { daemonWith } from '../../../helpers/daemon/chat.ts';
import { startDaemon, type TestDaemon } from '../../../helpers/daemon/daemon.ts';
import { scriptedModel } from '../../../helpers/models/models.ts';

type Page = { transactions: { id: string; type: string; amount: number; balance_after: number }[] };

const path = '/v1/wallet/transactions';

function credit({ services }: TestDaemon, type: 'topup' | 'bonus', refId: string): void {
  const posting = { accountId: 'acct_local', type, amountN: toNano(1), description: 'Credits' } as const;
  services.store.transaction(() => services.wallet.credit({ ...posting, refType: 'test', refId }));
}

describe('the wallet over HTTP', () => {
  test('shows the balance, what is held and what is left', async () => {
    const { call, key } = await startDaemon();
    const reply = await call('GET', '/v1/wallet/balance', { token: key });
    expect([reply.status, reply.json()]).toEqual([
      200,
      { balance: 100, currency: 'usd', held: 0, available: 100 },
    ]);
  });

  test('is empty on a hosted account', async () => {
    const { call, key } = await startDaemon({ ASKD_PROFILE: 'hosted' });
    expect((await call('GET', '/v1/wallet/balance', { token: key })).json()).toMatchObject({ balance: 0 });
    expect((await call('GET', path, { token: key })).json()).toEqual({ transactions: [] });
  });

  test("shows what an answer cost at the catalogue's prices", async () => {
    const daemon = await daemonWith({ m: await scriptedModel('One. Two. Three.') });
    const answer = (await daemon.chat({})).json<{ usage: Record<string, number> }>();
    const { prompt_tokens: input = 0, completion_tokens: output = 0 } = answer.usage;
    const cost = (input * 100 + output * 200) / 1e9;
    const { transactions } = (await daemon.call('GET', path, { token: daemon.key })).json<Page>();
    expect(transactions).toMatchObject([
      {
        type: 'usage',
        amount: -cost,
        balance_after: Number((100 - cost).toFixed(9)),
        description: `m: ${input} tokens in, ${output} tokens out`,
      },
      { type: 'bonus', amount: 100, balance_after: 100 },
    ]);
    const balance = await daemon.call('GET', '/v1/wallet/balance', { token: daemon.key });
    expect(balance.json()).toMatchObject({ balance: Number((100 - cost).toFixed(9)), held: 0 });
  });

  test('is read page by page, for one type or all', async () => {
    const daemon = await startDaemon();
    for (let count = 0; count < 6; count++)
      credit(daemon, count % 2 === 0 ? 'topup' : 'bonus', String(count));
    const read = async (query: string) =>
      (await daemon.call('GET', `${path}${query}`)).json<Page>().transactions;
    const all = await read('');
    expect(all.map(({ balance_after }) => balance_after)).toEqual([106, 105, 104, 103, 102, 101, 100]);
    expect(await read(`?limit=2&before=${all[1]?.id}`)).toEqual(all.slice(2, 4));
    expect(await read(`?before=${all[6]?.id}`)).toEqual([]);
    expect(await read('?type=topup&limit=2')).toEqual(all.filter(({ type }) => type === 'topup').slice(0, 2));
    expect(await read('?type=usage')).toEqual([]);
  });

  test.each([
    ['?limit=0', 'limit'],
    ['?limit=-1', 'limit'],
    ['?limit=1001', 'limit'],
    ['?limit=2.5', 'limit'],
    ['?limit=ten', 'limit'],
    ['?limit=1e2x', 'limit'],
    ['?limit=1&limit=2', 'limit'],
    ['?type=chargeback', 'type'],
    ["?type=usage'%20OR%201=1--", 'type'],
    ['?before=txn_00000000000000000000000000', 'before'],
    ["?before='%20OR%20'1'='1", 'before'],
    ['?before=x%22;DROP%20TABLE%20wallets;--', 'before'],
    ['?before=%00', 'before'],
    ['?account_id=acct_other', 'account_id'],
  ])('refuses %s for its %s', async (query, param) => {
    const { call } = await startDaemon();
    const reply = await call('GET', `${path}${query}`);
    expect([reply.status, reply.json<{ error: { param: string } }>().error.param]).toEqual([400, param]);
    expect((await call('GET', '/v1/wallet/balance')).json()).toMatchObject({ balance: 100 });
  });

  test('is shown to a key that may read, and to no other', async () => {
    const { call, services } = await startDaemon();
    const create = (scopes: string[]) =>
      services.keys.create({ accountId: 'acct_local', name: 'k', scopes, expiresAt: null }).key;
    const statuses = [];
    for (const scopes of [['read'], ['admin'], ['chat'], ['write']]) {
      statuses.push((await call('GET', '/v1/wallet/balance', { token: create(scopes) })).status);
    }
    expect(statuses).toEqual([200, 200, 403, 403]);
  });
});

test('the ledger can be audited through the daemon, only by its owner', async () => {
  const { call, key } = await startDaemon();
  const audit = await call('GET', '/api/daemon/ledger');
  expect(audit.json()).toEqual({ wallets: 1, transactions: 1, open_holds: 0, findings: [] });
  expect((await call('GET', '/api/daemon/ledger', { token: key })).status).toBe(403);
});
