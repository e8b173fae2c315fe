import { describe, expect, test } from 'vitest';
import { toNano } from '../../../src/base/money.ts';
import { createWalletHistory } from '../../../src/wallet/history.ts';
import { ACCOUNT, openWallet } from '../../helpers/accounts/wallet.ts';
import { settableClock } from '../../helpers/clock.ts';

const HOUR_MS = 3_600_000;
const START = Date.parse('2026-11-01T00:30:00Z');

/** Credits of every hour for a while, of alternating types. */
function openHistory(count: number) {
  const clock = settableClock(START);
  const parts = openWallet({ clock });
  const history = createWalletHistory(parts);
  for (let index = 0; index < count; index++) {
    if (index > 0) clock.advance(HOUR_MS);
    parts.credit(1, index % 2 === 0 ? 'topup' : 'bonus');
  }
  return { ...parts, history, clock };
}

describe('the balance over time', () => {
  test('is given for the end of each hour or day, and for now in the last one', () => {
    const { history } = openHistory(30);
    const hours = history.balances(ACCOUNT, { bucket: 'hour', from: '2026-10-31T23:00:00Z' });
    expect(hours.data.slice(0, 3)).toEqual([
      { start: '2026-10-31T23:00:00.000Z', balance: 0 },
      { start: '2026-11-01T00:00:00.000Z', balance: 1 },
      { start: '2026-11-01T01:00:00.000Z', balance: 2 },
    ]);
    expect(hours.data.at(-1)).toEqual({ start: '2026-11-02T05:00:00.000Z', balance: 30 });
    const days = history.balances(ACCOUNT, { from: '2026-11-01T00:00:00Z' });
    expect(days.data).toEqual([
      { start: '2026-11-01T00:00:00.000Z', balance: 24 },
      { start: '2026-11-02T00:00:00.000Z', balance: 30 },
    ]);
    expect(history.balances('acct_other', { from: '2026-11-01T00:00:00Z' }).data[0]?.balance).toBe(0);
  });

  test('is right within one millisecond, in which ids have no order', () => {
    const { history, credit, clock } = openHistory(0);
    for (let count = 0; count < 50; count++) credit(1);
    clock.advance(HOUR_MS);
    expect(history.balances(ACCOUNT, { bucket: 'hour', from: '2026-11-01T00:00:00Z' }).data).toEqual([
      { start: '2026-11-01T00:00:00.000Z', balance: 50 },
      { start: '2026-11-01T01:00:00.000Z', balance: 50 },
    ]);
  });

  test('has at most a thousand buckets', () => {
    const { history } = openHistory(1);
    expect(() => history.balances(ACCOUNT, { bucket: 'hour', from: '2026-01-01T00:00:00Z' })).toThrow(
      /at most 1000 buckets/,
    );
  });
});

describe('a search of the ledger', () => {
  const balancesOf = ({ transactions }: { transactions: readonly { balance_after: number }[] }) =>
    transactions.map(({ balance_after }) => balance_after);

  test('is newest first, between two moments, of one type, page by page', () => {
    const { history } = openHistory(10);
    const search = (filter: object) => balancesOf(history.search(ACCOUNT, filter));
    expect(search({})).toEqual([10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
    const between = { from: '2026-11-01T03:00:00Z', to: '2026-11-01T06:30:00Z' };
    expect(search(between)).toEqual([6, 5, 4]);
    expect(search({ ...between, type: 'topup' })).toEqual([5]);
    const first = history.search(ACCOUNT, { limit: 6 });
    const second = history.search(ACCOUNT, { limit: 6, before: first.next ?? '' });
    expect([balancesOf(first), balancesOf(second), second.next]).toEqual([
      [10, 9, 8, 7, 6, 5],
      [4, 3, 2, 1],
      null,
    ]);
    expect(() => history.search(ACCOUNT, { before: 'txn_none' })).toThrow(/no transaction "txn_none"/);
  });

  test('finds part of a description, in any case, and an id', () => {
    const { store, wallet, history } = openHistory(3);
    const posting = {
      accountId: ACCOUNT,
      type: 'refund',
      amountN: toNano(2),
      refType: 't',
      refId: '1',
    } as const;
    store.transaction(() => wallet.credit({ ...posting, description: 'Änderung am <b>Konto</b>' }));
    const [found] = history.search(ACCOUNT, { text: 'äNDERUNG' }).transactions;
    expect(found?.description).toBe('Änderung am <b>Konto</b>');
    expect(history.search(ACCOUNT, { text: found?.id ?? '' }).transactions).toEqual([found]);
    expect(history.search(ACCOUNT, { text: '%' }).transactions).toEqual([]);
  });

  test('for a rare text continues where it stopped, so that no request reads a whole ledger', () => {
    const { store, history } = openHistory(1);
    store.transaction(() => {
      store.prepare('UPDATE wallets SET last_seq = 50001').run();
      store.prepare('DROP TRIGGER wallet_transactions_fit').run();
      store.prepare(FILL).run(ACCOUNT, START);
    });
    const first = history.search(ACCOUNT, { text: 'Credits' });
    expect(first).toMatchObject({ transactions: [], next: expect.any(String) as string });
    const second = history.search(ACCOUNT, { text: 'Credits', before: first.next ?? '' });
    expect([balancesOf(second), second.next]).toEqual([[1], null]);
  });
});

const FILL = `
  WITH RECURSIVE counted(n) AS (VALUES(2) UNION ALL SELECT n + 1 FROM counted WHERE n < 50001)
  INSERT INTO wallet_transactions(account_id, seq, id, type, amount_n, balance_after_n, description, ref_type, ref_id,
    created_at)
  SELECT ?, n, 'txn_X' || n, 'usage', -1, 1, 'm: 1 tokens in', 'hold', n, ? FROM counted`;
