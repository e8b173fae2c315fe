import { expect, test } from 'vitest';
import { Failure } from '../../../src/base/errors.ts';
import { toNano } from '../../../src/base/money.ts';
import { ACCOUNT, openTopups } from '../../helpers/accounts/topups.ts';

const MINUTE_MS = 60_000;

function autoTopup(threshold: number, amount: number) {
  return { autoTopup: { enabled: true, thresholdN: toNano(threshold), amountN: toNano(amount) } };
}

function refusing() {
  const asked: string[] = [];
  const charge = ({ id }: { id: string }) => {
    asked.push(id);
    return Promise.reject(new Failure('payment_refused', 'The card was declined.'));
  };
  return { asked, charge };
}

test('a wallet below its threshold gets the amount, and nothing more until it is below again', async () => {
  const { autoTopups, settings, give, spend, balance, wallet, audited } = openTopups();
  give(12);
  settings.put(ACCOUNT, autoTopup(10, 100));
  await autoTopups.check(ACCOUNT);
  expect(balance()).toBe(12);
  spend(3);
  await autoTopups.check(ACCOUNT);
  await autoTopups.check(ACCOUNT);
  expect(balance()).toBe(109);
  expect(wallet.transactions(ACCOUNT, { type: 'topup' })).toMatchObject([
    { amount: 100, description: 'Automatic top-up' },
  ]);
  expect(audited()).toMatchObject([
    { action: 'top_up.pay', actor: { kind: 'daemon' }, after: { amount: 100, kind: 'auto' } },
  ]);
});

test('many checks at once are one top-up', async () => {
  const { autoTopups, settings, balance } = openTopups();
  settings.put(ACCOUNT, autoTopup(10, 20));
  await Promise.all(Array.from({ length: 20 }, () => autoTopups.check(ACCOUNT)));
  expect(balance()).toBe(20);
});

test('a wallet far below its threshold is filled by one payment', async () => {
  const { autoTopups, settings, balance, wallet } = openTopups();
  settings.put(ACCOUNT, autoTopup(100, 30));
  await autoTopups.check(ACCOUNT);
  expect([balance(), wallet.transactions(ACCOUNT)]).toMatchObject([120, { length: 1 }]);
});

test('it does nothing while it is off', async () => {
  const { autoTopups, settings, balance } = openTopups();
  const { autoTopup: on } = autoTopup(10, 20);
  settings.put(ACCOUNT, { autoTopup: { ...on, enabled: false } });
  await autoTopups.check(ACCOUNT);
  expect(balance()).toBe(0);
});

test('after a refusal it waits a quarter of an hour, and after three it switches off and says so', async () => {
  const { asked, charge } = refusing();
  const topups = openTopups({ provider: { charge } });
  const { autoTopups, settings, clock, noticeKinds, audited } = topups;
  settings.put(ACCOUNT, autoTopup(10, 20));
  await autoTopups.check(ACCOUNT);
  clock.advance(14 * MINUTE_MS);
  await autoTopups.check(ACCOUNT);
  expect(asked).toHaveLength(1);
  for (let n = 0; n < 5; n++) {
    clock.advance(16 * MINUTE_MS);
    await autoTopups.check(ACCOUNT);
  }
  expect(asked).toHaveLength(3);
  expect(new Set(asked).size).toBe(3);
  expect(settings.get(ACCOUNT).autoTopup.enabled).toBe(false);
  expect(noticeKinds()).toEqual(['auto_topup_disabled']);
  expect(topups.balance()).toBe(0);
  expect(audited()).toMatchObject([
    {
      ...{ action: 'wallet_settings.update', actor: { kind: 'daemon' }, account_id: ACCOUNT },
      ...{ before: { auto_topup: { enabled: true } }, after: { auto_topup: { enabled: false } } },
    },
  ]);
});

test('turning it on again starts over', async () => {
  const { asked, charge } = refusing();
  const { autoTopups, settings, clock } = openTopups({ provider: { charge } });
  settings.put(ACCOUNT, autoTopup(10, 20));
  for (let n = 0; n < 3; n++) {
    await autoTopups.check(ACCOUNT);
    clock.advance(16 * MINUTE_MS);
  }
  autoTopups.reset(ACCOUNT);
  settings.put(ACCOUNT, autoTopup(10, 20));
  await autoTopups.check(ACCOUNT);
  expect(asked).toHaveLength(4);
  expect(settings.get(ACCOUNT).autoTopup.enabled).toBe(true);
});

test('a payment with an unknown outcome is queried under the same name, and paid once', async () => {
  const asked: string[] = [];
  let answers = ['lost', 'pending', 'paid'];
  const charge = ({ id }: { id: string }) => {
    asked.push(id);
    const [answer = 'paid', ...rest] = answers;
    answers = rest;
    return answer === 'lost'
      ? Promise.reject(new Error('reset'))
      : Promise.resolve(answer as 'paid' | 'pending');
  };
  const { autoTopups, settings, clock, failures, balance } = openTopups({ provider: { charge } });
  settings.put(ACCOUNT, autoTopup(10, 20));
  for (let n = 0; n < 4; n++) {
    await autoTopups.check(ACCOUNT);
    clock.advance(16 * MINUTE_MS);
  }
  expect([asked.length, new Set(asked).size, failures.length]).toEqual([3, 1, 1]);
  expect(balance()).toBe(20);
  expect(settings.get(ACCOUNT).autoTopup.enabled).toBe(true);
});

test('if credits cost money, a month has a limit, and reaching it is reported once', async () => {
  const { autoTopups, settings, spend, balance, noticeKinds, clock } = openTopups({
    provider: { movesMoney: true },
    monthlyMax: 50,
  });
  settings.put(ACCOUNT, autoTopup(10, 20));
  for (let n = 0; n < 4; n++) {
    await autoTopups.check(ACCOUNT);
    if (balance() >= 15) spend(15);
  }
  expect(balance()).toBe(10);
  spend(5);
  await autoTopups.check(ACCOUNT);
  await autoTopups.check(ACCOUNT);
  expect([balance(), noticeKinds()]).toEqual([5, ['auto_topup_cap']]);
  clock.advance(31 * 24 * 60 * MINUTE_MS);
  await autoTopups.check(ACCOUNT);
  expect(balance()).toBe(25);
});

test('a suspended account is not topped up until it is resumed', async () => {
  const { autoTopups, settings, clock, store, balance } = openTopups();
  settings.put(ACCOUNT, autoTopup(10, 20));
  store
    .prepare("INSERT INTO accounts(id, profile, tier, created_at) VALUES(?, 'personal', 'free', ?)")
    .run(ACCOUNT, clock.now());
  const suspend = (at: number | null) =>
    store.prepare('UPDATE accounts SET suspended_at = ? WHERE id = ?').run(at, ACCOUNT);
  suspend(clock.now());
  await autoTopups.check(ACCOUNT);
  await autoTopups.checkAll();
  expect(balance()).toBe(0);
  suspend(null);
  await autoTopups.checkAll();
  expect(balance()).toBe(20);
});
