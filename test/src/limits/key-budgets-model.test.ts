import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toNano } from '../../../src/base/money.ts';
import { openStore } from '../../../src/store/store.ts';
import { ACCOUNT, walletOver, type TestWallet } from '../../helpers/accounts/wallet.ts';
import { answer, chat, costOf, fails, leaves, runAll } from '../../helpers/accounts/metering.ts';
import { settableClock } from '../../helpers/clock.ts';

const KEY = 'key_1';
const DAY_MS = 86_400_000;

describe('whatever runs concurrently', () => {
  const ends = {
    finishes: answer,
    fails: (n: number) => answer(n, fails),
    leaves: (n: number) => answer(n, leaves),
  };
  const request = fc.record({
    keyId: fc.constantFrom(KEY, KEY, 'key_2'),
    max: fc.integer({ min: 1, max: 3000 }),
    tokens: fc.nat(3000),
    end: fc.constantFrom('finishes', 'fails', 'leaves'),
    /** Steps before the next request starts. */
    steps: fc.nat(400),
    waitMs: fc.constantFrom(0, 0, 0, 0, 20 * DAY_MS),
  });

  test('no key exceeds its budget in a month, and the sums in memory match the database', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(request, { maxLength: 12 }),
        fc.integer({ min: 1, max: 6000 }),
        fc.integer({ min: 0, max: 6000 }),
        async (requests, tokens, affordable) => {
          const store = openStore(':memory:');
          const parts = walletOver(store, { clock: settableClock() });
          parts.credit(100);
          parts.tiers.set(ACCOUNT, 'enterprise');
          parts.budgets.update(KEY, { tokensPerMonth: tokens, creditsPerMonthN: toNano(costOf(affordable)) });
          parts.budgets.share('key_2', KEY);
          const running: Promise<unknown>[] = [];
          for (const { keyId, max, tokens: wanted, end, steps, waitMs } of requests) {
            const work = ends[end](Math.min(wanted, max));
            running.push(runAll(parts, { ...chat(max), keyId }, work).catch(() => undefined));
            for (let step = 0; step < steps; step++) await Promise.resolve();
            parts.clock.advance(waitMs);
          }
          await Promise.all(running);
          const months = store.prepare<{ tokens: number; costN: number }>(BY_MONTH).all();
          for (const month of months) {
            expect(month.tokens).toBeLessThanOrEqual(tokens);
            expect(month.costN).toBeLessThanOrEqual(toNano(costOf(affordable)));
          }
          expect(parts.findings()).toEqual([]);
          await agree(parts);
          store.close();
        },
      ),
      { numRuns: 60 },
    );
  });

  /** A daemon that has just started reads what this one has counted. */
  async function agree(parts: TestWallet): Promise<void> {
    const restarted = walletOver(parts.store, { bootId: 'next', clock: parts.clock });
    const outcome = async (at: TestWallet) => {
      const { keyId, accountId } = chat(1);
      const spending = at.spendingOf({ keyId, accountId, startedAt: parts.clock.now() });
      const attempt = (ask: () => unknown) => {
        try {
          return ask();
        } catch (error) {
          return (error as Error).message;
        }
      };
      await Promise.resolve();
      return [
        attempt(() => spending.tokensFor(1, 1e9)),
        attempt(() => spending.creditsFor({ leastN: 1, wantN: 1e15 })),
      ];
    };
    expect(await outcome(parts)).toEqual(await outcome(restarted));
  }
});

const BY_MONTH = `
  SELECT sum(prompt_tokens + completion_tokens) AS tokens, sum(cost_n) AS costN
  FROM usage GROUP BY strftime('%Y-%m', started_at / 1000, 'unixepoch')`;
