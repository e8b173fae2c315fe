import type { Clock } from '../base/clock.ts';
import { Failure } from '../base/errors.ts';
import { monthOf } from '../base/money.ts';
import { createMemory } from '../store/memory.ts';
import type { Store } from '../store/store.ts';
import type { Tier, Tiers } from './tiers.ts';

/** Tokens of a running request, in the month in which it started. Some of them may be free. */
export type QuotaShare = { accountId: string; month: string; tokens: number; freeTokens: number };

/** Tokens that a growing request adds belong to the month in which it started. */
export type WantedTokens = { leastTokens: number; wantTokens: number; month?: string };

type MonthRow = { tokens: number; free_tokens: number };

export type MonthlyQuota = ReturnType<typeof createMonthlyQuota>;

/** Tokens in the calendar month. Usage is durable; what running requests may still use is in memory. */
export function createMonthlyQuota({ store, tiers, clock }: { store: Store; tiers: Tiers; clock: Clock }) {
  const running = new Map<string, { tokens: number; freeTokens: number }>();
  const latest = createMemory<{ month: string; used: number }>(store);

  /**
   * As many as are wanted, or as are left if that is at least the minimum. Free tokens never refuse a request: when
   * they run out, the wallet pays. A limit without free tokens does refuse.
   */
  function reserve(accountId: string, wanted: WantedTokens): QuotaShare {
    const { leastTokens, wantTokens, month = monthOf(clock.now()) } = wanted;
    const tier = tiers.of(accountId);
    const { monthlyTokens, freeTokens } = tier;
    const taken = takenIn(accountId, month);
    const isLimited = freeTokens === 0 && monthlyTokens !== undefined;
    const left = isLimited ? Math.max(0, monthlyTokens - taken.tokens) : Infinity;
    if (leastTokens > left) throw quotaUsed(tier, month);
    const tokens = Math.min(wantTokens, left);
    const free = Math.max(0, Math.min(tokens, freeTokens - taken.freeTokens));
    const share: QuotaShare = { accountId, month, tokens, freeTokens: free };
    change(share, 1);
    return share;
  }

  /** Records what was used, as far as free tokens had been reserved for it. For use inside a transaction. */
  function settle(share: QuotaShare, tokens: number): void {
    if (tokens === 0) return;
    const { accountId, month } = share;
    const freeTokens = Math.min(tokens, share.freeTokens);
    store.prepare(ADD).run({ accountId, month, tokens, freeTokens });
    latest.forget();
  }

  /** With the end of the request, whichever it was. */
  function release(share: QuotaShare): void {
    change(share, -1);
  }

  /** What was released, where its use could not be written after all. */
  function retain(share: QuotaShare): void {
    change(share, 1);
  }

  function takenIn(accountId: string, month: string) {
    const { tokens = 0, free_tokens: freeTokens = 0 } =
      store.prepare<MonthRow>(FIND).get(accountId, month) ?? ({} as Partial<MonthRow>);
    const held = running.get(`${accountId} ${month}`);
    return { tokens: tokens + (held?.tokens ?? 0), freeTokens: freeTokens + (held?.freeTokens ?? 0) };
  }

  function change({ accountId, month, tokens, freeTokens }: QuotaShare, sign: 1 | -1): void {
    const name = `${accountId} ${month}`;
    const held = running.get(name) ?? { tokens: 0, freeTokens: 0 };
    const next = { tokens: held.tokens + sign * tokens, freeTokens: held.freeTokens + sign * freeTokens };
    if (next.tokens === 0 && next.freeTokens === 0) running.delete(name);
    else running.set(name, next);
  }

  function status(accountId: string) {
    const month = monthOf(clock.now());
    const { monthlyTokens } = tiers.of(accountId);
    if (latest.get(accountId, () => readMonth(accountId, month)).month !== month) latest.forget();
    const { used } = latest.get(accountId, () => readMonth(accountId, month));
    return { month, used, limit: monthlyTokens ?? null };
  }

  function readMonth(accountId: string, month: string) {
    const used = store.prepare<MonthRow>(FIND).get(accountId, month)?.tokens ?? 0;
    return { month, used };
  }

  return { reserve, settle, release, retain, status };
}

export function quotaUsed({ name, monthlyTokens }: Tier, month: string): Failure {
  return new Failure(
    'insufficient_quota',
    `Too few of the ${monthlyTokens} tokens of the tier ${name} in ${month} are left for this request` +
      `${name === 'free' ? ', and the wallet is empty' : ''}. Wait for the next month, add credits ` +
      '(askd wallet topup 10) or change the tier: askd account tier startup',
  );
}

const FIND = 'SELECT tokens, free_tokens FROM quota_months WHERE account_id = ? AND month = ?';

const ADD = `
  INSERT INTO quota_months(account_id, month, tokens, free_tokens) VALUES(@accountId, @month, @tokens, @freeTokens)
  ON CONFLICT DO UPDATE SET tokens = tokens + excluded.tokens, free_tokens = free_tokens + excluded.free_tokens`;
