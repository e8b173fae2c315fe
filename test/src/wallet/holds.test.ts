import { describe, expect, test } from 'vitest';
import { toNano } from '../../../src/base/money.ts';
import { ACCOUNT, openWallet, walletOver } from '../../helpers/accounts/wallet.ts';

const one = toNano(1);
const off = { enabled: false, limitN: 0, action: 'block' } as const;

/** A wallet in which each hold is a separate transaction. */
function openHolds(credits = 10) {
  const parts = openWallet();
  const { store, wallet } = parts;
  if (credits > 0) parts.credit(credits);
  let requests = 0;
  return {
    ...parts,
    open: (leastN: number, wantN = leastN) =>
      store.transaction(() => wallet.holds.open(ACCOUNT, `req_${(requests += 1)}`, { leastN, wantN })),
    release: (hold: ReturnType<typeof wallet.holds.open>) =>
      store.transaction(() => wallet.holds.release(hold)),
  };
}

describe('a hold', () => {
  test('reserves what is wanted, and settling gives the rest back', () => {
    const { wallet, open, settle, findings } = openHolds();
    const hold = open(one, 4 * one);
    expect(wallet.balance(ACCOUNT)).toMatchObject({ balance: 10, held: 4, available: 6 });
    settle(hold, 3 * one);
    expect(wallet.balance(ACCOUNT)).toMatchObject({ balance: 7, held: 0, available: 7 });
    expect(findings()).toEqual([]);
  });

  test('takes what is available if that is at least the minimum', () => {
    const { open } = openHolds(2);
    expect(open(one, 5 * one).amountN).toBe(2 * one);
  });

  test('never costs more than was held', () => {
    const { wallet, open, settle, findings } = openHolds();
    settle(open(one), 5 * one);
    expect(wallet.balance(ACCOUNT).balance).toBe(9);
    expect(findings()).toEqual([]);
  });

  test('that costs nothing leaves no transaction', () => {
    const { wallet, open, settle, release } = openHolds();
    expect(settle(open(one), 0)).toBeUndefined();
    release(open(one));
    expect(wallet.transactions(ACCOUNT).map(({ type }) => type)).toEqual(['topup']);
  });

  test.each([
    ['settled', 'settled'],
    ['settled', 'released'],
    ['released', 'settled'],
    ['released', 'released'],
  ])('%s cannot be %s again, and a failed attempt changes nothing', (first, second) => {
    const { wallet, open, settle, release, findings } = openHolds();
    const hold = open(one);
    const close = (how: string) => (how === 'settled' ? settle(hold, one) : release(hold));
    close(first);
    const before = wallet.balance(ACCOUNT);
    expect(() => close(second)).toThrow();
    expect(wallet.balance(ACCOUNT)).toEqual(before);
    expect(findings()).toEqual([]);
  });

  test('is unique for a request', () => {
    const { store, wallet, findings } = openHolds();
    const wanted = { leastN: one, wantN: one };
    store.transaction(() => wallet.holds.open(ACCOUNT, 'req_same', wanted));
    expect(() => store.transaction(() => wallet.holds.open(ACCOUNT, 'req_same', wanted))).toThrow();
    expect(wallet.balance(ACCOUNT).held).toBe(1);
    expect(findings()).toEqual([]);
  });

  test('that is extended holds more, or stays as it was if not even the minimum is available', () => {
    const { store, wallet, open, findings } = openHolds(3);
    const hold = open(one);
    const extended = store.transaction(() => wallet.holds.extend(hold, { leastN: one, wantN: 9 * one }));
    expect(extended?.amountN).toBe(3 * one);
    expect(
      store.transaction(() => wallet.holds.extend(extended ?? hold, { leastN: 1, wantN: one })),
    ).toBeUndefined();
    expect(wallet.balance(ACCOUNT)).toMatchObject({ held: 3, available: 0 });
    expect(findings()).toEqual([]);
  });

  test('of an earlier run is released at the start, but not one of this run', () => {
    const { store, clock, open, findings } = openHolds();
    open(one);
    const next = walletOver(store, { clock, bootId: 'boot-2' });
    store.transaction(() => next.wallet.holds.open(ACCOUNT, 'req_new', { leastN: one, wantN: one }));
    expect(store.transaction(next.wallet.holds.releaseOrphans)).toBe(1);
    expect(store.transaction(next.wallet.holds.releaseOrphans)).toBe(0);
    expect(next.wallet.balance(ACCOUNT).held).toBe(1);
    expect(findings()).toEqual([]);
  });

  test('belongs to the month in which it was opened', () => {
    const { wallet, clock, open, settle, findings } = openHolds();
    const hold = open(one);
    clock.advance(31 * 86_400_000);
    settle(hold, one);
    expect([wallet.spentIn(ACCOUNT, '2026-06'), wallet.spentIn(ACCOUNT, '2026-07')]).toEqual([one, 0]);
    expect(findings()).toEqual([]);
  });
});

describe('a refusal says what helps:', () => {
  test('credits if the wallet is short', () => {
    const { open } = openHolds(0);
    expect(() => open(one)).toThrow(expect.objectContaining({ code: 'insufficient_credits' }));
  });

  test('waiting if only running requests are in the way', () => {
    const { open, release } = openHolds(1);
    const hold = open(one);
    expect(() => open(one)).toThrow(
      expect.objectContaining({ code: 'credits_on_hold', retryAfterSeconds: 2 }),
    );
    release(hold);
    open(one);
  });

  test('the limit if the monthly limit is spent, and not if it is only held', () => {
    const { wallet, open, settle } = openHolds();
    wallet.settings.put(ACCOUNT, { spendingLimit: { enabled: true, limitN: 2 * one, action: 'block' } });
    const hold = open(2 * one);
    expect(() => open(one)).toThrow(expect.objectContaining({ code: 'credits_on_hold' }));
    settle(hold, 2 * one);
    expect(() => open(one)).toThrow(expect.objectContaining({ code: 'spending_limit_reached' }));
  });
});

describe('the spending limit of a month', () => {
  test('blocks what would go over it, to the nano-credit, until the next month', () => {
    const { wallet, clock, open, settle, findings } = openHolds();
    wallet.settings.put(ACCOUNT, { spendingLimit: { enabled: true, limitN: 3 * one, action: 'block' } });
    settle(open(2 * one), 2 * one);
    expect(open(1, 5 * one).amountN).toBe(one);
    expect(() => open(1)).toThrow();
    clock.advance(31 * 86_400_000);
    open(3 * one);
    expect(findings()).toEqual([]);
  });

  test('no longer blocks once it is off or raised, and lets through what costs nothing', () => {
    const { wallet, open, settle } = openHolds();
    wallet.settings.put(ACCOUNT, { spendingLimit: { enabled: true, limitN: one, action: 'block' } });
    settle(open(one), one);
    open(0);
    expect(() => open(1)).toThrow();
    wallet.settings.put(ACCOUNT, { spendingLimit: off });
    open(1);
  });

  test('that only alerts lets everything through and alerts once per month and limit', () => {
    const { wallet, notices, eventsOf, open, settle } = openHolds();
    const alertAt = (credits: number) =>
      wallet.settings.put(ACCOUNT, {
        spendingLimit: { enabled: true, limitN: toNano(credits), action: 'alert' },
      });
    alertAt(2);
    settle(open(one), one);
    expect(eventsOf('usage.limit_reached')).toEqual([]);
    settle(open(one), one);
    settle(open(one), one);
    expect(eventsOf('usage.limit_reached')).toEqual([{ kind: 'spending_limit', period: '2026-06' }]);
    alertAt(5);
    settle(open(2 * one), 2 * one);
    alertAt(1);
    settle(open(one), one);
    expect(notices.list(ACCOUNT)).toHaveLength(3);
    expect(wallet.balance(ACCOUNT).balance).toBe(4);
  });
});
