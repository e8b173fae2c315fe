import { describe, expect, test } from 'vitest';
import type { Meter } from '../../../../src/inference/metered.ts';
import { ACCOUNT, openWallet } from '../../../helpers/accounts/wallet.ts';
import {
  answer,
  chat,
  costOf,
  openWithCredit,
  PROMPT,
  runAll,
  state,
} from '../../../helpers/accounts/metering.ts';

describe('an answer longer than what was held', () => {
  test('is charged in steps and costs exactly what it used', async () => {
    const parts = openWithCredit();
    expect(await runAll(parts, chat(5000), answer(4321))).toBe(4321);
    expect(state(parts)).toMatchObject({ spent: costOf(4321), held: 0 });
  });

  test('ends at the last token that can be paid, and never below zero', async () => {
    const parts = openWallet();
    parts.credit(costOf(1500));
    expect(await runAll(parts, chat(5000), answer(5000))).toBe(1500);
    expect(parts.wallet.balance(ACCOUNT)).toMatchObject({ balance: 0, held: 0 });
    expect(state(parts).usage).toMatchObject({ outcome: 'finished' });
  });

  test.each([costOf(1), costOf(1) + 1e-9, costOf(37) + 150e-9, costOf(1024), costOf(1025)])(
    'ends where %d credits end',
    async (credits) => {
      const parts = openWallet();
      parts.credit(credits);
      const tokens = Math.floor((credits * 1e9 - PROMPT * 100 + 1e-3) / 200);
      expect(await runAll(parts, chat(5000), answer(5000))).toBe(tokens);
      expect(parts.findings()).toEqual([]);
    },
  );

  test('continues with credits that were added while it ran', async () => {
    const parts = openWallet();
    parts.credit(costOf(1024));
    const work = async function* (meter: Meter) {
      for await (const count of answer(2000)(meter)) {
        if (count === 1000) parts.credit(1);
        yield count;
      }
    };
    let last = 0;
    for await (const count of parts.metered.run(chat(2000), work)) last = count;
    expect(last).toBe(2000);
  });

  test('leaves to others the monthly tokens that it does not use', async () => {
    const parts = openWallet();
    parts.tiers.set(ACCOUNT, 'enterprise', { monthlyTokens: 10_000 });
    parts.credit(costOf(1500));
    const events = parts.metered.run(chat(8000), answer(8000));
    for (let count = 0; count < 1490; count++) await events.next();
    parts.quota.release(parts.quota.reserve(ACCOUNT, { leastTokens: 7000, wantTokens: 7000 }));
    await events.return(undefined);
  });

  test('ends where the monthly tokens end', async () => {
    const parts = openWithCredit();
    parts.tiers.set(ACCOUNT, 'enterprise', { monthlyTokens: PROMPT + 1200 });
    expect(await runAll(parts, chat(5000), answer(5000))).toBe(1200);
    expect(parts.quota.status(ACCOUNT).used).toBe(PROMPT + 1200);
    await expect(runAll(parts, chat(5000), answer(1))).rejects.toMatchObject({ code: 'insufficient_quota' });
  });
});

describe('free tokens', () => {
  test('are used before credits, and a request that begins on them may end on credits', async () => {
    const parts = openWithCredit();
    parts.tiers.set(ACCOUNT, 'free');
    await parts.metered.once({ ...chat(0), counts: { promptTokens: 99_900 } }, (meter) => {
      meter.promptTokens = 99_900;
      return Promise.resolve();
    });
    parts.clock.advance(60_000);
    expect(state(parts)).toMatchObject({ spent: 0, hold: 'settled', types: ['topup'] });
    await runAll(parts, chat(500), answer(150));
    expect(state(parts).spent).toBe((60 * 200) / 1e9);
    expect(parts.quota.status(ACCOUNT)).toMatchObject({ used: 100_060 });
  });

  test('alone suffice with an empty wallet until they end, and then the quota is reported as used up', async () => {
    const parts = openWallet();
    parts.tiers.set(ACCOUNT, 'free');
    await parts.metered.once({ ...chat(0), counts: { promptTokens: 99_900 } }, (meter) => {
      meter.promptTokens = 99_900;
      return Promise.resolve();
    });
    parts.clock.advance(60_000);
    expect(await runAll(parts, chat(500), answer(500))).toBe(90);
    for (let count = 0; count < 2; count++) {
      await expect(runAll(parts, chat(500), answer(1))).rejects.toMatchObject({ code: 'insufficient_quota' });
    }
    expect(parts.eventsOf('usage.limit_reached')).toEqual([{ kind: 'monthly_tokens', period: '2026-06' }]);
    expect(parts.findings()).toEqual([]);
  });
});

describe('a refused request', () => {
  test.each(['insufficient_credits', 'credits_on_hold', 'spending_limit_reached'])(
    '(%s) consumes no limit',
    async (code) => {
      const parts = openWallet();
      const { wallet, rates } = parts;
      if (code !== 'insufficient_credits') parts.credit(costOf(1024));
      const spendingLimit = { enabled: true, limitN: 1, action: 'block' } as const;
      if (code === 'spending_limit_reached') wallet.settings.put(ACCOUNT, { spendingLimit });
      const running = parts.metered.run(chat(5000), answer(5000));
      if (code === 'credits_on_hold') await running.next();
      const before = [rates.status(ACCOUNT), wallet.balance(ACCOUNT), parts.eventsOf('chat.started')];
      await expect(runAll(parts, chat(500), answer(1))).rejects.toMatchObject({ code });
      expect([rates.status(ACCOUNT), wallet.balance(ACCOUNT), parts.eventsOf('chat.started')]).toEqual(
        before,
      );
      await running.return(undefined);
      expect(parts.findings()).toEqual([]);
    },
  );

  test('for lack of credits is reported once, and again after new credits are used up', async () => {
    const parts = openWallet();
    const refused = () =>
      expect(runAll(parts, chat(500), answer(1))).rejects.toMatchObject({ code: 'insufficient_credits' });
    await refused();
    await refused();
    expect(parts.eventsOf('usage.limit_reached')).toHaveLength(1);
    parts.credit(costOf(1));
    await runAll(parts, chat(500), answer(1));
    await refused();
    expect(parts.eventsOf('usage.limit_reached').map((data) => (data as { kind: string }).kind)).toEqual([
      'credits',
      'credits',
    ]);
  });
});
