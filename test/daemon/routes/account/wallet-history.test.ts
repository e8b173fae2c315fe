import { expect, test } from 'vitest';
import { toNano } from '../../../../src/base/money.ts';
import { openBrowserSession } from '../../../helpers/accounts/sessions.ts';
import { startDaemon } from '../../../helpers/daemon/daemon.ts';

test('a session reads its ledger and its balance over time, and downloads all of it as CSV', async () => {
  const daemon = await startDaemon();
  const { store, wallet } = daemon.services;
  const hostile = '=HYPERLINK("https://evil.test"), "x"';
  const posting = { accountId: 'acct_local', type: 'refund', refType: 'test' } as const;
  store.transaction(() => {
    for (let count = 0; count < 2_500; count++) {
      const description = count === 0 ? hostile : `Refund ${count}`;
      wallet.credit({ ...posting, amountN: toNano(0.01), description, refId: String(count) });
    }
  });
  const { call } = await openBrowserSession(daemon);
  type Page = { transactions: { description: string }[]; next: string | null };
  const page = (await call('GET', '/api/wallet/transactions?type=refund&limit=3')).json<Page>();
  expect(page.transactions.map(({ description }) => description)).toEqual([
    'Refund 2499',
    'Refund 2498',
    'Refund 2497',
  ]);
  expect(
    (await call('GET', '/api/wallet/transactions?text=hyperlink')).json<Page>().transactions,
  ).toHaveLength(1);
  const history = (await call('GET', '/api/wallet/history')).json<{ data: { balance: number }[] }>();
  expect(history.data).toHaveLength(30);
  expect(history.data.at(-1)?.balance).toBe(125);

  const file = await call('GET', '/api/wallet/export?type=refund');
  expect(file.headers['content-type']).toBe('text/csv; charset=utf-8');
  expect(file.headers['content-disposition']).toContain('attachment');
  const lines = file.text.trimEnd().split('\r\n');
  expect(lines).toHaveLength(2_501);
  expect(lines[0]).toBe('id,created_at,type,amount,balance_after,description');
  expect(lines.at(-1)).toContain(`"'=HYPERLINK(""https://evil.test""), ""x"""`);
});

test('a session starts a top-up and sees what is left of the limits', async () => {
  const daemon = await startDaemon({ ASKD_PROFILE: 'hosted' });
  const { call } = await openBrowserSession(daemon);
  const started = await call('POST', '/api/wallet/top-up', { body: { amount: 100 } });
  expect(started.json()).toMatchObject({ amount: 100, bonus: 10, total: 110 });
  expect(started.headers['cache-control']).toBe('no-store');
  expect((await call('POST', '/api/wallet/top-up', { body: { amount: 500 } })).status).toBe(400);
  expect((await call('GET', '/api/account/limits')).json()).toMatchObject({ limit: 10, remaining: 10 });
  for (const path of ['/api/wallet/transactions', '/api/wallet/export', '/api/account/limits']) {
    expect((await daemon.call('GET', path, { token: daemon.key })).status).toBe(401);
  }
});
