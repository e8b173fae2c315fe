import type { Clock } from '../base/clock.ts';
import { monthOf } from '../base/money.ts';
import { createMemory } from '../store/memory.ts';
import type { Store } from '../store/store.ts';

const DAY_MS = 86_400_000;

/** The limits of a key. Null means no limit beyond those of the account. */
export type KeyLimits = {
  creditsPerMonthN: number | null;
  tokensPerMonth: number | null;
  rpm: number | null;
};

/** `id` is the key with which the budget started: rotating a key does not reset its budget. */
export type KeyBudget = KeyLimits & { id: string };

export type KeyUse = { tokens: number; costN: number };

export type BudgetReport = KeyBudget & { used: KeyUse };

export type KeyBudgets = ReturnType<typeof createKeyBudgets>;

const UNLIMITED: KeyLimits = { creditsPerMonthN: null, tokensPerMonth: null, rpm: null };
const NOTHING: KeyUse = { tokens: 0, costN: 0 };

/**
 * The budgets of API keys, and how much of them is used. Kept in memory: every request reads them, and few change
 * them.
 */
export function createKeyBudgets({ store, clock }: { store: Store; clock: Clock }) {
  const known = createMemory<KeyBudget>(store);

  function of(keyId: string): KeyBudget {
    return known.get(keyId, () => find(keyId) ?? { id: keyId, ...UNLIMITED });
  }

  function find(keyId: string): KeyBudget | undefined {
    return store.prepare<KeyBudget>(FIND).get(keyId);
  }

  function has(keyId: string): boolean {
    const { creditsPerMonthN, tokensPerMonth, rpm } = of(keyId);
    return creditsPerMonthN !== null || tokensPerMonth !== null || rpm !== null;
  }

  /** Changes the given limits of one key. */
  function update(keyId: string, change: Partial<KeyLimits>): void {
    if (Object.keys(change).length === 0) return;
    const { id: budgetId, ...limits } = find(keyId) ?? { id: keyId, ...UNLIMITED };
    store.prepare(PUT).run({ keyId, budgetId, ...limits, ...change });
    known.forget();
  }

  /**
   * The same when an owner of the account sets it: for every key that shares the budget, and for keys that its member
   * creates later.
   */
  function impose(keyId: string, change: Partial<KeyLimits>): void {
    if (Object.keys(change).length === 0) return;
    update(keyId, change);
    store.prepare(IMPOSE).run(keyId);
    known.forget();
  }

  /** The budget that a member's keys share from the start. Revoking the key it was set on does not lift it. */
  function imposedOn(memberId: string): KeyBudget | undefined {
    return store.prepare<KeyBudget>(IMPOSED).get(memberId);
  }

  /** A key that replaces another, or joins it, has what the other had left. */
  function share(keyId: string, sharedId: string): void {
    store.prepare(SHARE).run({ keyId, sharedId });
    known.forget();
  }

  /** From the totals of usage, which are written with each request. */
  function usedIn(month: string, { accountId, budgetId }: { accountId: string; budgetId: string }): KeyUse {
    return store.prepare<KeyUse>(USED).get({ accountId, budgetId, ...daysOf(month) }) ?? { ...NOTHING };
  }

  /** The budget of a key, and this month's usage by it and the keys that share the budget. */
  function reportOne(accountId: string, keyId: string): BudgetReport {
    const budget = of(keyId);
    return { ...budget, used: usedIn(monthOf(clock.now()), { accountId, budgetId: budget.id }) };
  }

  /** The same for every key of an account. */
  function report(accountId: string): (keyId: string) => BudgetReport {
    const days = daysOf(monthOf(clock.now()));
    const rows = store.prepare<KeyUse & { id: string }>(USED_BY_ALL).all({ accountId, ...days });
    const used = new Map(rows.map(({ id, ...use }) => [id, use]));
    return (keyId) => {
      const budget = of(keyId);
      return { ...budget, used: used.get(budget.id) ?? NOTHING };
    };
  }

  return { of, has, update, impose, imposedOn, share, usedIn, report, reportOne };
}

/** UTC days, as in the totals. */
function daysOf(month: string): { firstDay: number; endDay: number } {
  const first = new Date(`${month}-01T00:00:00Z`);
  const end = Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1);
  return { firstDay: first.getTime() / DAY_MS, endDay: end / DAY_MS };
}

const BUDGET = `
  SELECT budget_id AS id, credits_per_month_n AS creditsPerMonthN, tokens_per_month AS tokensPerMonth, rpm
  FROM key_budgets`;

const FIND = `${BUDGET} WHERE key_id = ?`;

const IMPOSED = `
  ${BUDGET} WHERE by_owner = 1 AND coalesce(credits_per_month_n, tokens_per_month, rpm) IS NOT NULL
    AND key_id = budget_id AND key_id IN (SELECT id FROM api_keys WHERE member_id = ?)
  ORDER BY key_id LIMIT 1`;

const PUT = `
  INSERT INTO key_budgets(key_id, budget_id, credits_per_month_n, tokens_per_month, rpm)
  VALUES(@keyId, @budgetId, @creditsPerMonthN, @tokensPerMonth, @rpm)
  ON CONFLICT DO UPDATE SET credits_per_month_n = excluded.credits_per_month_n,
    tokens_per_month = excluded.tokens_per_month, rpm = excluded.rpm`;

/** Applies the limits of a key to all that share its budget. */
const IMPOSE = `
  UPDATE key_budgets SET by_owner = 1, credits_per_month_n = changed.credits_per_month_n,
    tokens_per_month = changed.tokens_per_month, rpm = changed.rpm
  FROM key_budgets changed WHERE changed.key_id = ? AND key_budgets.budget_id = changed.budget_id`;

const SHARE = `
  INSERT INTO key_budgets(key_id, budget_id, credits_per_month_n, tokens_per_month, rpm, by_owner)
  SELECT @keyId, budget_id, credits_per_month_n, tokens_per_month, rpm, by_owner
  FROM key_budgets WHERE key_id = @sharedId`;

const SUMS = `
  coalesce(sum(prompt_tokens + completion_tokens), 0) AS tokens, coalesce(sum(cost_n), 0) AS costN`;

const THIS_MONTH = 'account_id = @accountId AND day >= @firstDay AND day < @endDay';

const USED = `
  SELECT ${SUMS} FROM usage_days INDEXED BY usage_days_of_key WHERE ${THIS_MONTH}
    AND key_id IN (SELECT @budgetId UNION SELECT key_id FROM key_budgets WHERE budget_id = @budgetId)`;

const USED_BY_ALL = `
  SELECT coalesce(budget_id, usage_days.key_id) AS id, ${SUMS} FROM usage_days
  LEFT JOIN key_budgets ON key_budgets.key_id = usage_days.key_id
  WHERE ${THIS_MONTH} GROUP BY 1`;
