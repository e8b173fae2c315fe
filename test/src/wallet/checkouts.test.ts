import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CHECKOUT_LIFETIME_MS } from '../../../src/wallet/checkouts.ts';
import { refOfToken } from '../../../src/wallet/providers/local.ts';
import { ACCOUNT, openTopups } from '../../helpers/accounts/topups.ts';

const by = { actor: { kind: 'nobody' }, address: '127.0.0.1' } as const;

test('a checkout becomes a top-up and a bonus, once', async () => {
  const { checkouts, wallet, balance } = openTopups();
  const { id, url } = await checkouts.open(ACCOUNT, 100);
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:1\/checkout\/askpay_[\w-]{43}$/);
  expect([
    checkouts.pay(id, { by }),
    checkouts.pay(id, { by }),
    checkouts.pay(id, { by, evenIfExpired: true }),
  ]).toEqual([true, false, false]);
  expect(balance()).toBe(110);
  const rows = wallet
    .transactions(ACCOUNT)
    .map(({ type, amount, balance_after: after }) => [type, amount, after]);
  expect(rows).toEqual([
    ['bonus', 10, 110],
    ['topup', 100, 100],
  ]);
  expect(checkouts.find(id)?.state).toBe('paid');
});

test('an address opens its checkout and is not in the database', async () => {
  const { checkouts, store } = openTopups();
  const { id, url } = await checkouts.open(ACCOUNT, 10);
  const token = url.split('/').pop() ?? '';
  expect(checkouts.findByRef('local', refOfToken(token))?.id).toBe(id);
  expect(checkouts.findByRef('stripe', refOfToken(token))).toBeUndefined();
  const row = store.prepare<Record<string, unknown>>('SELECT * FROM checkouts').get();
  expect(JSON.stringify(row)).not.toContain(token.slice(7));
});

test('a checkout expires after a day, unless money was taken for it', async () => {
  const { checkouts, clock, balance } = openTopups();
  const late = await checkouts.open(ACCOUNT, 10);
  const taken = await checkouts.open(ACCOUNT, 10);
  clock.advance(CHECKOUT_LIFETIME_MS);
  expect(checkouts.find(late.id)?.state).toBe('expired');
  expect([checkouts.pay(late.id, { by }), balance()]).toEqual([false, 0]);
  checkouts.expire(taken.id);
  expect([checkouts.pay(taken.id, { by, evenIfExpired: true }), balance()]).toEqual([true, 10]);
});

test('a provider that fails leaves a failed checkout and an honest error', async () => {
  const open = () => Promise.reject(new Error('connection refused'));
  const { checkouts, store, balance } = openTopups({ provider: { open } });
  await expect(checkouts.open(ACCOUNT, 10)).rejects.toMatchObject({ code: 'payment_provider_failed' });
  const row = store.prepare<{ id: string; state: string }>('SELECT id, state FROM checkouts').get();
  expect(row?.state).toBe('failed');
  expect([checkouts.pay(row?.id ?? '', { by, evenIfExpired: true }), balance()]).toEqual([false, 0]);
});

type Step = { act: 'open' | 'pay' | 'payLate' | 'expire' | 'fail' | 'wait'; which: number; amount: number };

test('whatever happens in whatever order, the balance is what paid checkouts bought, each counted once', async () => {
  const step: fc.Arbitrary<Step> = fc.record({
    act: fc.constantFrom('open', 'open', 'pay', 'pay', 'payLate', 'expire', 'fail', 'wait'),
    which: fc.nat(5),
    amount: fc.integer({ min: 100, max: 49_999 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const { checkouts, clock, store, balance } = openTopups();
      const ids: string[] = [];
      for (const { act, which, amount } of steps) {
        const id = ids[which % Math.max(1, ids.length)] ?? 'chk_none';
        if (act === 'open') ids.push((await checkouts.open(ACCOUNT, amount / 100)).id);
        if (act === 'pay') checkouts.pay(id, { by });
        if (act === 'payLate') checkouts.pay(id, { by, evenIfExpired: true });
        if (act === 'expire') checkouts.expire(id);
        if (act === 'fail') checkouts.fail(id);
        if (act === 'wait') clock.advance(CHECKOUT_LIFETIME_MS / 3);
        const sql = `SELECT coalesce(sum(amount_n + bonus_n), 0) / 1e9 AS n FROM checkouts WHERE state = 'paid'`;
        expect(balance()).toBeCloseTo(store.prepare<{ n: number }>(sql).get()?.n ?? 0, 9);
      }
    }),
    { numRuns: 60 },
  );
});

test('the database itself refuses to pay twice', async () => {
  const { checkouts, store } = openTopups();
  const { id } = await checkouts.open(ACCOUNT, 10);
  checkouts.pay(id, { by });
  const again = () => store.prepare("UPDATE checkouts SET state = 'created' WHERE id = ?").run(id);
  expect(again).toThrow('the checkout is paid already');
});
