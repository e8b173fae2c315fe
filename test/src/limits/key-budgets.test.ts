import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { toNano } from '../../../src/base/money.ts';
import { openStore } from '../../../src/store/store.ts';
import { ACCOUNT, openWallet, walletOver, type TestWallet } from '../../helpers/accounts/wallet.ts';
import { answer, chat, costOf, PROMPT, runAll } from '../../helpers/accounts/metering.ts';
import { settableClock } from '../../helpers/clock.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';

const KEY = 'key_1';
const DAY_MS = 86_400_000;

type Limits = { credits?: number; tokens?: number; rpm?: number };

function limit(
  { budgets }: Pick<TestWallet, 'budgets'>,
  { credits, tokens, rpm }: Limits,
  keyId = KEY,
): void {
  budgets.update(keyId, {
    ...(credits !== undefined && { creditsPerMonthN: toNano(credits) }),
    ...(tokens !== undefined && { tokensPerMonth: tokens }),
    ...(rpm !== undefined && { rpm }),
  });
}

function openBudget(limits: Limits) {
  const parts = openWallet();
  parts.credit(100);
  limit(parts, limits);
  return parts;
}

function used({ budgets }: TestWallet, keyId = KEY) {
  const { tokens, costN } = budgets.report(ACCOUNT)(keyId).used;
  return { tokens, credits: costN / 1e9 };
}

const withKey = (keyId: string | null, max = 500) => ({ ...chat(max), keyId });
const refusal = (code: string, details = {}) =>
  expect.objectContaining({ code, ...details }) as unknown as Error;

describe('the credits of a key', () => {
  test('end an answer where they end, and refuse the next with what to do', async () => {
    const parts = openBudget({ credits: costOf(1500) });
    expect(await runAll(parts, chat(5000), answer(5000))).toBe(1500);
    expect(used(parts)).toEqual({ tokens: PROMPT + 1500, credits: costOf(1500) });
    const message = expect.stringMatching(
      /the budget of the API key key_1, .* a month, has 0\.00 left in 2026-06.*askd keys update key_1 --credits-per-month AMOUNT$/,
    ) as string;
    const details = { key_id: KEY, limit: '0.000301' };
    await expect(runAll(parts, chat(500), answer(1))).rejects.toEqual(
      refusal('spending_limit_reached', { message, details, param: 'credits_per_month' }),
    );
    expect(parts.findings()).toEqual([]);
  });

  test('say which limit cut the answer', async () => {
    const reasons: unknown[] = [];
    const cut = async (limits: Limits) => {
      const work = async function* (meter: Parameters<ReturnType<typeof answer>>[0]) {
        yield* answer(5000)(meter);
        reasons.push(meter.shortOf());
      };
      await runAll(openBudget(limits), chat(5000), work);
    };
    await cut({ credits: costOf(1500) });
    await cut({ tokens: PROMPT + 1500 });
    expect(reasons).toEqual(['spending_limit_reached', 'insufficient_quota']);
  });

  test('may be zero, which refuses only what costs something', async () => {
    const parts = openBudget({ credits: 0 });
    await expect(runAll(parts, chat(500), answer(1))).rejects.toEqual(refusal('spending_limit_reached'));
    expect(await runAll(parts, withKey('key_2'), answer(5))).toBe(5);
    expect(await runAll(parts, withKey(null), answer(5))).toBe(5);
  });

  test('that running requests have reserved are worth a retry, and cause no notice', async () => {
    const parts = openBudget({ credits: costOf(500) });
    const running = parts.metered.run(chat(500), answer(5));
    await running.next();
    await expect(runAll(parts, chat(500), answer(1))).rejects.toEqual(
      refusal('credits_on_hold', { retryAfterSeconds: 2 }),
    );
    expect(parts.eventsOf('usage.limit_reached')).toEqual([]);
    await running.return(undefined);
    expect(await runAll(parts, chat(300), answer(300))).toBe(300);
  });
});

describe('the tokens of a key', () => {
  test('end an answer where they end, and refuse the next with what to do', async () => {
    const parts = openBudget({ tokens: PROMPT + 1200 });
    expect(await runAll(parts, chat(5000), answer(5000))).toBe(1200);
    const message = expect.stringMatching(
      /key_1.*askd keys update key_1 --tokens-per-month TOKENS$/,
    ) as string;
    await expect(runAll(parts, chat(500), answer(1))).rejects.toEqual(
      refusal('insufficient_quota', { message, param: 'tokens_per_month' }),
    );
  });

  test('do not affect what has no tokens', async () => {
    const parts = openBudget({ tokens: 1 });
    const picture = { ...chat(0), task: 'draw' as const, counts: { images: 1 } };
    await parts.metered.once({ ...picture, model: 'svc-image-v1' }, (meter) => {
      meter.images = 1;
      return Promise.resolve();
    });
    await expect(runAll(parts, chat(500), answer(1))).rejects.toEqual(refusal('insufficient_quota'));
  });

  test('that running requests have reserved are worth a retry', async () => {
    const parts = openBudget({ tokens: 600 });
    const running = parts.metered.run(chat(5000), answer(5000));
    await running.next();
    await expect(runAll(parts, chat(500), answer(1))).rejects.toEqual(
      refusal('rate_limit_exceeded', { param: 'tokens_per_month', retryAfterSeconds: 2 }),
    );
    await running.return(undefined);
  });
});

describe('a budget', () => {
  test('is all or nothing: a refused request uses up no limit', async () => {
    const parts = openBudget({ credits: costOf(10), tokens: 1000, rpm: 5 });
    const before = () => [parts.rates.status(ACCOUNT, KEY), parts.wallet.balance(ACCOUNT), used(parts)];
    const untouched = before();
    const long = { ...chat(500), counts: { promptTokens: 900 } };
    await expect(runAll(parts, long, answer(1))).rejects.toEqual(refusal('spending_limit_reached'));
    const longer = { ...chat(500), counts: { promptTokens: 1000 } };
    await expect(runAll(parts, longer, answer(1))).rejects.toEqual(refusal('insufficient_quota'));
    expect(before()).toEqual(untouched);
    expect(await runAll(parts, chat(500), answer(500))).toBe(10);
  });

  test('is available again in the next month, counted by the start of a request in UTC', async () => {
    const clock = settableClock(Date.UTC(2026, 5, 30, 23, 59, 59, 999));
    const parts = walletOver(openWallet().store, { clock });
    parts.credit(100);
    limit(parts, { tokens: 100 });
    const running = parts.metered.run(chat(500), answer(500));
    await running.next();
    clock.advance(1);
    expect(await runAll(parts, chat(500), answer(500))).toBe(90);
    while (!(await running.next()).done);
    expect(used(parts).tokens).toBe(100);
    clock.advance(-1);
    expect(used(parts).tokens).toBe(100);
  });

  test('that is raised lets a running answer continue, and the next request pass', async () => {
    const parts = openBudget({ credits: costOf(1024) });
    const work = async function* (meter: Parameters<ReturnType<typeof answer>>[0]) {
      for await (const count of answer(2000)(meter)) {
        if (count === 1000) limit(parts, { credits: 1 });
        yield count;
      }
    };
    expect(await runAll(parts, chat(2000), work)).toBe(2000);
    parts.budgets.update(KEY, { creditsPerMonthN: 1 });
    await expect(runAll(parts, chat(5), answer(5))).rejects.toEqual(refusal('spending_limit_reached'));
    parts.budgets.update(KEY, { creditsPerMonthN: null });
    expect(await runAll(parts, chat(5), answer(5))).toBe(5);
  });

  test('set in the middle of a month counts earlier use', async () => {
    const parts = openBudget({});
    await runAll(parts, chat(500), answer(90));
    limit(parts, { tokens: 150 });
    parts.clock.advance(DAY_MS);
    expect(await runAll(parts, chat(500), answer(500))).toBe(40);
  });

  test('survives a restart, and counts nothing for what a crash interrupted', async () => {
    const path = join(temporaryFolder(), 'askd.db');
    const first = openWallet({ path });
    first.credit(100);
    limit(first, { tokens: 1000 });
    await runAll(first, chat(500), answer(200));
    const crashed = first.metered.run(chat(5000), answer(5000));
    await crashed.next();
    const store = openStore(path);
    const second = walletOver(store, { bootId: 'next' });
    store.transaction(second.wallet.holds.releaseOrphans);
    expect(await runAll(second, chat(5000), answer(5000))).toBe(1000 - PROMPT - 200 - PROMPT);
    store.close();
  });

  test('carries over to the key that replaces its key', async () => {
    const parts = openBudget({ tokens: 200 });
    await runAll(parts, chat(500), answer(90));
    parts.budgets.share('key_2', KEY);
    expect(used(parts, 'key_2').tokens).toBe(100);
    expect(await runAll(parts, withKey('key_2'), answer(50))).toBe(50);
    expect(await runAll(parts, chat(500), answer(500))).toBe(30);
    expect([used(parts).tokens, used(parts, 'key_2').tokens]).toEqual([200, 200]);
  });

  test('that is reached is reported once a month for each key, even when it cuts an answer', async () => {
    const parts = openBudget({ tokens: 100 });
    limit(parts, { credits: 0 }, 'key_2');
    expect(await runAll(parts, chat(500), answer(500))).toBe(90);
    const cut = [{ kind: 'key_tokens', period: '2026-06', key_id: KEY }];
    expect(parts.eventsOf('usage.limit_reached')).toEqual(cut);
    for (const keyId of [KEY, 'key_2', KEY, 'key_2'])
      await expect(runAll(parts, withKey(keyId), answer(1))).rejects.toBeDefined();
    const refused = { kind: 'key_credits', period: '2026-06', key_id: 'key_2' };
    expect(parts.eventsOf('usage.limit_reached')).toEqual([...cut, refused]);
    expect(parts.notices.list(ACCOUNT)).toHaveLength(2);
    parts.clock.advance(30 * DAY_MS);
    expect(await runAll(parts, chat(500), answer(500))).toBe(90);
    expect(parts.eventsOf('usage.limit_reached')).toHaveLength(3);
  });
});

describe('the rate of a key', () => {
  test('combines with that of the tier: both admit, or neither counts', () => {
    const { rates, tiers, ...parts } = openBudget({ rpm: 2 });
    const ask = (keyId: string | null) => () =>
      rates.admit(ACCOUNT, { promptTokens: 1, completionTokens: 1, keyId });
    tiers.set(ACCOUNT, 'enterprise', { rpm: 3 });
    ask(KEY)();
    ask(KEY)();
    parts.clock.advance(20_000);
    const refused = { param: 'rpm', retryAfterSeconds: 40, details: { key_id: KEY, retry_after: 40 } };
    expect(ask(KEY)).toThrow(refusal('rate_limit_exceeded', refused));
    expect(() => rates.refuseIfExhausted(ACCOUNT, KEY)).toThrow(refusal('rate_limit_exceeded', refused));
    expect(rates.status(ACCOUNT).rpm).toEqual({ limit: 3, remaining: 1 });
    ask(null)();
    expect(ask('key_2')).toThrow(refusal('rate_limit_exceeded', { details: { retry_after: 40 } }));
    parts.clock.advance(40_000);
    tiers.set(ACCOUNT, 'enterprise', { rpm: 1 });
    ask(null)();
    expect(ask(KEY)).toThrow(refusal('rate_limit_exceeded', { details: { retry_after: 60 } }));
    tiers.set(ACCOUNT, 'enterprise', {});
    expect(rates.status(ACCOUNT, KEY).rpm).toEqual({ limit: 2, remaining: 2 });
  });

  test('shows in the status if it leaves fewer requests', () => {
    const { rates, tiers } = openBudget({ rpm: 5 });
    tiers.set(ACCOUNT, 'enterprise', { rpm: 6 });
    const ask = (keyId: string | null) =>
      rates.admit(ACCOUNT, { promptTokens: 1, completionTokens: 1, keyId });
    expect(rates.status(ACCOUNT, KEY).rpm).toEqual({ limit: 5, remaining: 5 });
    ask(null);
    expect(rates.status(ACCOUNT, KEY).rpm).toEqual({ limit: 5, remaining: 5 });
    ask(null);
    expect(rates.status(ACCOUNT, KEY).rpm).toEqual({ limit: 6, remaining: 4 });
    rates.cancel(ask(KEY));
    expect(rates.status(ACCOUNT, KEY).rpm).toEqual({ limit: 6, remaining: 4 });
    expect(rates.status(ACCOUNT, 'key_2').rpm).toEqual({ limit: 6, remaining: 4 });
  });
});
