import { describe, expect, test } from 'vitest';
import { NANO_MAX, NANO_PER_CREDIT } from '../../../src/base/money.ts';
import { ACCOUNT, openWallet, type TestWallet } from '../../helpers/accounts/wallet.ts';

type Row = { id: string; seq: number };

/** Ten credits, of which a request used one. */
function spent() {
  const parts = openWallet();
  const { store, wallet } = parts;
  parts.credit(10);
  const wanted = { leastN: NANO_PER_CREDIT, wantN: NANO_PER_CREDIT };
  const hold = store.transaction(() => wallet.holds.open(ACCOUNT, 'req_1', wanted));
  const settled = parts.settle(hold, NANO_PER_CREDIT);
  return { ...parts, usage: settled ?? '' };
}

function insert({ store }: TestWallet, row: Record<string, unknown>): void {
  const full = {
    account_id: ACCOUNT,
    seq: 3,
    id: 'txn_x',
    type: 'bonus',
    amount_n: 5,
    balance_after_n: 9 * NANO_PER_CREDIT + 5,
    description: '',
    ref_type: 'test',
    ref_id: 'x',
    created_at: 1,
    ...row,
  };
  const names = Object.keys(full);
  store
    .prepare(
      `INSERT OR REPLACE INTO wallet_transactions(${names.join()}) VALUES(${names.map((name) => `@${name}`).join()})`,
    )
    .run(full);
}

describe('the ledger', () => {
  test('credits a reference once; the second time nothing changes', () => {
    const { store, wallet, findings } = openWallet();
    const posting = {
      accountId: ACCOUNT,
      type: 'topup',
      amountN: 5,
      description: '',
      refType: 'checkout',
      refId: 'a',
    } as const;
    expect(store.transaction(() => wallet.credit(posting))).toBe(true);
    expect(store.transaction(() => wallet.credit({ ...posting, amountN: 7 }))).toBe(false);
    expect(wallet.balance(ACCOUNT).balance).toBe(5e-9);
    expect(findings()).toEqual([]);
  });

  test('keeps a balance within what numbers can represent exactly', () => {
    const { wallet, credit } = openWallet();
    const most = NANO_MAX / NANO_PER_CREDIT;
    expect(credit(most).balance).toBe(most);
    expect(() => credit(1e-9)).toThrow(expect.objectContaining({ code: 'invalid_value', param: 'amount' }));
    expect(wallet.balance(ACCOUNT).balance).toBe(most);
  });

  test.each([0, -1, 0.5, Number.NaN])('does not credit %d', (amountN) => {
    const { store, wallet } = openWallet();
    const posting = {
      accountId: ACCOUNT,
      type: 'bonus',
      amountN,
      description: '',
      refType: 't',
      refId: 'a',
    } as const;
    expect(() => store.transaction(() => wallet.credit(posting))).toThrow(/not an amount/);
  });

  test('refunds usage once, as a separate transaction', () => {
    const { store, wallet, usage, findings } = spent();
    const refund = {
      accountId: ACCOUNT,
      type: 'refund',
      amountN: NANO_PER_CREDIT,
      description: 'r',
      refType: 'usage',
      refId: usage,
    } as const;
    expect(store.transaction(() => wallet.credit(refund))).toBe(true);
    expect(store.transaction(() => wallet.credit(refund))).toBe(false);
    expect(wallet.transactions(ACCOUNT).map(({ type }) => type)).toEqual(['refund', 'usage', 'topup']);
    expect(findings()).toEqual([]);
  });

  test('refunds, once, the charge of a request that is done again', () => {
    const { store, wallet, findings } = spent();
    for (const request of ['req_1', 'req_1', 'req_unknown']) {
      store.transaction(() => wallet.refundRequest(request));
    }
    expect(wallet.balance(ACCOUNT).balance).toBe(10);
    expect(wallet.transactions(ACCOUNT, { type: 'refund' })).toHaveLength(1);
    expect(findings()).toEqual([]);
  });

  test('is read in pages, newest first, each after the last of the one before', () => {
    const { wallet, credit } = openWallet();
    for (let count = 0; count < 7; count++) credit(1, count % 2 === 0 ? 'topup' : 'bonus');
    const pages: string[] = [];
    for (let before: string | undefined; ;) {
      const page = wallet.transactions(ACCOUNT, { limit: 3, ...(before && { before }) });
      if (page.length === 0) break;
      pages.push(...page.map(({ id }) => id));
      before = page.at(-1)?.id;
    }
    expect(pages).toEqual(wallet.transactions(ACCOUNT).map(({ id }) => id));
    expect(new Set(pages).size).toBe(7);
    const bonuses = wallet.transactions(ACCOUNT, { type: 'bonus', limit: 2 });
    expect(bonuses.map(({ balance_after }) => balance_after)).toEqual([6, 4]);
  });

  test('of another account cannot be seen, not even as the start of a page', () => {
    const { wallet, usage } = spent();
    expect(wallet.transactions('acct_other')).toEqual([]);
    expect(() => wallet.transactions('acct_other', { before: usage })).toThrow(
      expect.objectContaining({ code: 'invalid_value', param: 'before' }),
    );
  });
});

describe('the ledger cannot be rewritten:', () => {
  test.each([
    'UPDATE wallet_transactions SET amount_n = amount_n + 1',
    "UPDATE wallet_transactions SET description = 'other' WHERE seq = 1",
    'DELETE FROM wallet_transactions WHERE seq = 2',
    'DELETE FROM holds',
    "UPDATE holds SET state = 'open'",
    'UPDATE holds SET cost_n = 0',
    'INSERT OR REPLACE INTO holds SELECT * FROM holds',
    'UPDATE OR REPLACE wallet_transactions SET seq = 1 WHERE seq = 2',
    'UPDATE wallets SET posted_n = -1',
    'UPDATE wallets SET held_n = posted_n + 1',
  ])('%s is refused', (sql) => {
    const { store, findings } = spent();
    expect(() => store.prepare(sql).run()).toThrow();
    expect(findings()).toEqual([]);
  });

  test.each<[string, (usage: Row) => Record<string, unknown>]>([
    ['one in the place of another', ({ id }) => ({ id, seq: 2 })],
    ['one with a number that is taken', () => ({ seq: 2 })],
    ['one after a gap', () => ({ seq: 4 })],
    ['one with the wrong balance after it', () => ({ balance_after_n: 1 })],
    ['usage that gives', () => ({ type: 'usage' })],
    ['a gift that takes', () => ({ amount_n: -5 })],
    ['one for nothing', () => ({ amount_n: 0 })],
    ['one of an unknown type', () => ({ type: 'chargeback' })],
    ['one that the wallet did not book', () => ({})],
  ])('a row %s is refused', (_what, row) => {
    const parts = spent();
    expect(() => insert(parts, row({ id: parts.usage, seq: 2 }))).toThrow();
    expect(parts.findings()).toEqual([]);
  });
});
