import {
  createKey,
  deleteKey,
  listKeys,
  rotateKey,
  updateKey,
  type KeyBudget,
  type UpdateApiKeyRequest,
} from '../../../src/api/account/keys.ts';
import { toCredits, toNano } from '../../../src/base/money.ts';
import type { BudgetReport, KeyLimits } from '../../../src/limits/key-budgets.ts';
import type { Services } from '../../compose.ts';
import type { RegisterRoute } from '../../http/register-route.ts';

const DEFAULT_SCOPES = ['chat', 'read'];

export function registerKeys(register: RegisterRoute, { store, keys, budgets, simulations }: Services): void {
  register(listKeys, ({ principal }) => {
    const report = budgets.report(principal.accountId);
    return keys.list(principal.accountId).map((key) => ({ ...key, budget: toBudgetRecord(report(key.id)) }));
  });

  register(createKey, ({ body, principal: { accountId }, reply }) => {
    void reply.header('cache-control', 'no-store');
    const { key, ...created } = keys.create({
      accountId,
      name: body.name,
      scopes: body.scopes ?? DEFAULT_SCOPES,
      expiresAt: body.expires_at ? Date.parse(body.expires_at) : null,
      isTest: body.test ?? false,
    });
    budgets.update(created.id, toLimits(body));
    return { ...created, ...budgetOf(accountId, created.id), key };
  });

  register(updateKey, ({ body, params, principal }) => {
    const { name, scopes, is_active: isActive } = body;
    const id = params['id'] ?? '';
    store.transaction(() => {
      keys.update(principal.accountId, id, {
        ...(name !== undefined && { name }),
        ...(scopes !== undefined && { scopes }),
        ...(isActive !== undefined && { isActive }),
      });
      budgets.update(id, toLimits(body));
    });
    return { success: true as const };
  });

  register(rotateKey, ({ body, params, principal: { accountId }, reply }) => {
    void reply.header('cache-control', 'no-store');
    const id = params['id'] ?? '';
    const { key, ...created } = keys.rotate(accountId, id, (body.grace_seconds ?? 0) * 1000);
    budgets.share(created.id, id);
    simulations.rules.copy(id, created.id);
    return { ...created, ...budgetOf(accountId, created.id), key };
  });

  /** Only where there is one: most keys have what their account has. */
  function budgetOf(accountId: string, id: string): { budget?: KeyBudget } {
    return budgets.has(id) ? { budget: toBudgetRecord(budgets.reportOne(accountId, id)) } : {};
  }

  register(deleteKey, ({ params, principal }) => {
    keys.revoke(principal.accountId, params['id'] ?? '');
    return { success: true as const };
  });
}

type Limits = Pick<UpdateApiKeyRequest, 'credits_per_month' | 'tokens_per_month' | 'rpm'>;

function toLimits({ credits_per_month: credits, tokens_per_month: tokens, rpm }: Limits): Partial<KeyLimits> {
  return {
    ...(credits !== undefined && { creditsPerMonthN: credits === null ? null : toNano(credits) }),
    ...(tokens !== undefined && { tokensPerMonth: tokens }),
    ...(rpm !== undefined && { rpm }),
  };
}

export function toBudgetRecord(budget: BudgetReport): KeyBudget {
  const { creditsPerMonthN, tokensPerMonth, rpm, used } = budget;
  return {
    credits_per_month: creditsPerMonthN === null ? null : toCredits(creditsPerMonthN),
    tokens_per_month: tokensPerMonth,
    rpm,
    credits_used: toCredits(used.costN),
    tokens_used: used.tokens,
  };
}
