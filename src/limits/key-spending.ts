import { Failure } from '../base/errors.ts';
import { formatCredits, monthOf } from '../base/money.ts';
import type { KeyBudget, KeyBudgets, KeyUse } from './key-budgets.ts';

/** At most this many sums are kept in memory; others are read again. */
const KEPT_MAX = 1_000;
const HELD_RETRY_AFTER_SECONDS = 2;

export type Spender = { accountId: string; keyId: string | null; startedAt: number };

export type KeySpending = ReturnType<typeof createKeySpending>;
export type Spending = ReturnType<KeySpending>;

/** What is left of a limit, and how much of it other running requests have reserved. */
type Room = { limit: number; left: number; held: number };

/**
 * What running requests may still use of their keys' budgets. This is kept in memory; past usage comes from the
 * totals and is counted on from there.
 */
export function createKeySpending({ budgets }: { budgets: KeyBudgets }) {
  const running = new Map<string, KeyUse>();
  const used = new Map<string, KeyUse>();

  /** A key without a budget is counted too, since it may get one in the meantime. */
  return function open({ accountId, keyId, startedAt }: Spender) {
    const month = monthOf(startedAt);
    const budgetId = keyId === null ? '' : budgets.of(keyId).id;
    const name = `${budgetId} ${month}`;
    const taken: KeyUse = { tokens: 0, costN: 0 };

    function roomOf(limit: number | null, unit: keyof KeyUse): Room | undefined {
      if (limit === null) return undefined;
      const held = running.get(name)?.[unit] ?? 0;
      return { limit, left: Math.max(0, limit - usedOf()[unit] - held), held: held - taken[unit] };
    }

    function usedOf(): KeyUse {
      const kept = used.get(name);
      if (kept) return kept;
      const read = budgets.usedIn(month, { accountId, budgetId });
      if (used.size >= KEPT_MAX) used.clear();
      used.set(name, read);
      return read;
    }

    /** As much as is wanted, or as the budget has left if that is at least the minimum. */
    function tokensFor(leastTokens: number, wantTokens: number): number {
      if (keyId === null || wantTokens === 0) return wantTokens;
      const room = roomOf(budgets.of(keyId).tokensPerMonth, 'tokens');
      if (room === undefined) return wantTokens;
      if (leastTokens > room.left) throw tokensUsed({ keyId, month, least: leastTokens, ...room });
      return Math.min(wantTokens, room.left);
    }

    function creditsFor(wanted: { leastN: number; wantN: number }) {
      const { leastN, wantN } = wanted;
      if (keyId === null || wantN === 0) return wanted;
      const room = roomOf(budgets.of(keyId).creditsPerMonthN, 'costN');
      if (room === undefined) return wanted;
      if (leastN > room.left) throw creditsUsed({ keyId, month, least: leastN, ...room });
      return { leastN, wantN: Math.min(wantN, room.left) };
    }

    function take({ tokens = 0, costN = 0 }: Partial<KeyUse>): void {
      if (keyId === null) return;
      taken.tokens += tokens;
      taken.costN += costN;
      const held = running.get(name) ?? { tokens: 0, costN: 0 };
      const next = { tokens: held.tokens + tokens, costN: held.costN + costN };
      if (next.tokens === 0 && next.costN === 0) running.delete(name);
      else running.set(name, next);
    }

    /** Once the usage is written, or the request was refused. Returns what takes it back. */
    function close(recorded: KeyUse = { tokens: 0, costN: 0 }): () => void {
      const released = { ...taken };
      take(negative(released));
      add(used.get(name), recorded);
      return () => {
        take(released);
        add(used.get(name), negative(recorded));
      };
    }

    return { tokensFor, creditsFor, take, close };
  };
}

const negative = ({ tokens, costN }: KeyUse): KeyUse => ({ tokens: -tokens, costN: -costN });

/** To a sum that is kept, if it is. */
function add(kept: KeyUse | undefined, { tokens, costN }: KeyUse): void {
  if (!kept) return;
  kept.tokens += tokens;
  kept.costN += costN;
}

type Shortfall = Room & { keyId: string; month: string; least: number };

function creditsUsed({ keyId, month, least, limit, left, held }: Shortfall): Failure {
  const needs = `This request needs at least ${formatCredits(least)} credits`;
  const budget = `the budget of the API key ${keyId}`;
  if (least <= left + held) {
    return new Failure(
      'credits_on_hold',
      `${needs}; of the ${formatCredits(left + held)} that ${budget} has left in ${month}, ${formatCredits(held)} ` +
        'are reserved for running requests. Try again when they have finished.',
      { retryAfterSeconds: HELD_RETRY_AFTER_SECONDS, details: { key_id: keyId } },
    );
  }
  return new Failure(
    'spending_limit_reached',
    `${needs}, and ${budget}, ${formatCredits(limit)} credits a month, has ${formatCredits(left + held)} left in ` +
      `${month}. Raise it: askd keys update ${keyId} --credits-per-month AMOUNT`,
    { param: 'credits_per_month', details: { key_id: keyId, limit: formatCredits(limit) } },
  );
}

function tokensUsed({ keyId, month, least, limit, left, held }: Shortfall): Failure {
  const budget = `the ${limit} tokens a month in the budget of the API key ${keyId}`;
  if (least <= left + held) {
    return new Failure(
      'rate_limit_exceeded',
      `This request needs at least ${least} tokens; of ${budget}, ${left + held} are left in ${month} and ${held} of ` +
        'them are reserved for running requests. Try again when they have finished.',
      {
        param: 'tokens_per_month',
        retryAfterSeconds: HELD_RETRY_AFTER_SECONDS,
        details: { key_id: keyId, retry_after: HELD_RETRY_AFTER_SECONDS },
      },
    );
  }
  return new Failure(
    'insufficient_quota',
    `Too few of ${budget} are left in ${month} for this request: ${left + held}. Wait for the next month, or raise it: ` +
      `askd keys update ${keyId} --tokens-per-month TOKENS`,
    { param: 'tokens_per_month', details: { key_id: keyId, limit } },
  );
}

export function keyRateReached({ rpm }: KeyBudget, keyId: string, retryAfterSeconds: number): Failure {
  return new Failure(
    'rate_limit_exceeded',
    `The budget of the API key ${keyId} allows ${rpm} requests per minute, and they are used up. ` +
      `Try again in ${retryAfterSeconds} s, or raise it: askd keys update ${keyId} --rpm REQUESTS`,
    { param: 'rpm', retryAfterSeconds, details: { key_id: keyId, retry_after: retryAfterSeconds } },
  );
}
