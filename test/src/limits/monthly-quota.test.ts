import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ACCOUNT, openWallet, type TestWallet } from '../../helpers/accounts/wallet.ts';

const TWO_WEEKS = 14 * 86_400_000;

function openQuota(tier: 'free' | 'developer' | 'enterprise', monthlyTokens?: number) {
  const parts = openWallet();
  parts.tiers.set(ACCOUNT, tier, monthlyTokens === undefined ? {} : { monthlyTokens });
  const take = (want: number, least = want) =>
    parts.quota.reserve(ACCOUNT, { leastTokens: least, wantTokens: want });
  return { ...parts, take };
}

function use(
  { store, quota }: TestWallet,
  share: ReturnType<TestWallet['quota']['reserve']>,
  tokens: number,
): void {
  store.transaction(() => quota.settle(share, tokens));
  quota.release(share);
}

const quotaUsed = expect.objectContaining({ code: 'insufficient_quota' }) as Error;

describe('the tokens of a month', () => {
  test('are refused when they are used up, and are available again in the next month', () => {
    const parts = openQuota('enterprise', 100);
    use(parts, parts.take(100), 90);
    expect(() => parts.take(11)).toThrow(quotaUsed);
    parts.quota.release(parts.take(10));
    expect(parts.quota.status(ACCOUNT)).toEqual({ month: '2026-06', used: 90, limit: 100 });
    parts.clock.advance(2 * TWO_WEEKS + 2 * 86_400_000);
    expect(parts.quota.status(ACCOUNT)).toEqual({ month: '2026-07', used: 0, limit: 100 });
    parts.take(100);
  });

  test('count while they are held by running requests', () => {
    const { quota, take } = openQuota('enterprise', 100);
    const running = take(60);
    expect(() => take(41)).toThrow(quotaUsed);
    quota.release(running);
    take(41);
  });

  test('go as far as they last to an answer that can be shorter', () => {
    const { take } = openQuota('enterprise', 100);
    expect(take(500, 10).tokens).toBe(100);
    expect(() => take(500, 1)).toThrow(quotaUsed);
  });

  test('are no limit if the tier has none', () => {
    const { take, quota } = openQuota('enterprise');
    take(1e9);
    expect(quota.status(ACCOUNT)).toMatchObject({ limit: null });
  });

  test('survive a restart', () => {
    const parts = openQuota('enterprise', 100);
    use(parts, parts.take(100), 60);
    const row = parts.store.prepare('SELECT month, tokens FROM quota_months').get();
    expect(row).toEqual({ month: '2026-06', tokens: 60 });
  });
});

describe('free tokens', () => {
  test('never refuse: what exceeds them is paid from the wallet', () => {
    const parts = openQuota('free');
    expect(parts.take(150_000)).toMatchObject({ tokens: 150_000, freeTokens: 100_000 });
    expect(parts.take(10)).toMatchObject({ freeTokens: 0 });
  });

  test('that were not needed are available to the next request', () => {
    const parts = openQuota('free');
    use(parts, parts.take(100_000), 400);
    expect(parts.take(100_000).freeTokens).toBe(99_600);
  });

  test("never exceed the tier's monthly amount, whatever runs concurrently", () => {
    const step = fc.tuple(
      fc.integer({ min: 1, max: 60_000 }),
      fc.nat(100),
      fc.constantFrom(0, 0, 0, TWO_WEEKS),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const parts = openQuota('free');
        const running: ReturnType<typeof parts.take>[] = [];
        for (const [tokens, percent, wait] of steps) {
          running.push(parts.take(tokens));
          if (running.length > 3) {
            const share = running.shift();
            if (share) use(parts, share, Math.floor((share.tokens * percent) / 100));
          }
          parts.clock.advance(wait);
        }
        const months = parts.store
          .prepare<{ free_tokens: number }>('SELECT free_tokens FROM quota_months')
          .all();
        for (const { free_tokens: free } of months) expect(free).toBeLessThanOrEqual(100_000);
        parts.store.close();
      }),
      { numRuns: 40 },
    );
  });
});
