import {
  createKey,
  deleteKey,
  listKeys,
  rotateKey,
  updateKey,
  type KeyBudget,
  type UpdateApiKeyRequest,
} from '../../../src/api/account/keys.ts';
import { unknownKey, type Principal } from '../../../src/access/keys.ts';
import { MEMBER_SCOPES } from '../../../src/access/members.ts';
import { Failure } from '../../../src/base/errors.ts';
import { toCredits, toNano } from '../../../src/base/money.ts';
import type { BudgetReport, KeyLimits } from '../../../src/limits/key-budgets.ts';
import { ownOnly } from '../../auth/roles.ts';
import type { Services } from '../../compose.ts';
import type { RegisterRoute } from '../../http/register-route.ts';

const DEFAULT_SCOPES = ['chat', 'read'];
const LIMITS = ['creditsPerMonthN', 'tokensPerMonth', 'rpm'] as const;

export function registerKeys(register: RegisterRoute, { store, keys, budgets, simulations }: Services): void {
  register(listKeys, ({ principal }) => {
    const report = budgets.report(principal.accountId);
    return keys
      .list(principal.accountId, ownOnly(principal))
      .map((key) => ({ ...key, budget: toBudgetRecord(report(key.id)) }));
  });

  register(createKey, ({ body, principal, reply }) => {
    const { accountId, memberId } = principal;
    refuseScopes(principal, body.scopes);
    void reply.header('cache-control', 'no-store');
    const { key, ...created } = store.transaction(() => {
      const made = keys.create({
        accountId,
        name: body.name,
        scopes: body.scopes ?? DEFAULT_SCOPES,
        expiresAt: body.expires_at ? Date.parse(body.expires_at) : null,
        isTest: body.test ?? false,
        memberId,
      });
      joinImposed(principal, made.id);
      setLimits(principal, made.id, body);
      return made;
    });
    return { ...created, ...budgetOf(accountId, created.id), key };
  });

  register(updateKey, ({ body, params, principal }) => {
    const { name, scopes, is_active: isActive } = body;
    const id = params['id'] ?? '';
    refuseOther(principal, id);
    refuseScopes(principal, scopes);
    store.transaction(() => {
      keys.update(principal.accountId, id, {
        ...(name !== undefined && { name }),
        ...(scopes !== undefined && { scopes }),
        ...(isActive !== undefined && { isActive }),
      });
      setLimits(principal, id, body);
    });
    return { success: true as const };
  });

  register(rotateKey, ({ body, params, principal, reply }) => {
    const { accountId } = principal;
    void reply.header('cache-control', 'no-store');
    const id = params['id'] ?? '';
    refuseOther(principal, id);
    const { key, ...created } = keys.rotate(accountId, id, (body.grace_seconds ?? 0) * 1000);
    budgets.share(created.id, id);
    simulations.rules.copy(id, created.id);
    return { ...created, ...budgetOf(accountId, created.id), key };
  });

  /** Otherwise a member could escape a budget set by an owner by creating a new key. */
  function joinImposed(principal: Principal, id: string): void {
    const memberId = ownOnly(principal);
    const imposed = memberId === undefined ? undefined : budgets.imposedOn(memberId);
    if (imposed) budgets.share(id, imposed.id);
  }

  function setLimits(principal: Principal, id: string, body: Limits): void {
    const limits = toLimits(body);
    if (ownOnly(principal) === undefined) return budgets.impose(id, limits);
    refuseLift(budgets.of(id), limits);
    budgets.update(id, limits);
  }

  /** For members, the keys of others do not exist. */
  function refuseOther(principal: Principal, id: string): void {
    const memberId = ownOnly(principal);
    if (memberId !== undefined && keys.find(principal.accountId, id).member_id !== memberId)
      throw unknownKey(id);
  }

  /** Only if there is one: most keys have just the limits of their account. */
  function budgetOf(accountId: string, id: string): { budget?: KeyBudget } {
    return budgets.has(id) ? { budget: toBudgetRecord(budgets.reportOne(accountId, id)) } : {};
  }

  register(deleteKey, ({ params, principal }) => {
    refuseOther(principal, params['id'] ?? '');
    keys.revoke(principal.accountId, params['id'] ?? '');
    return { success: true as const };
  });
}

function refuseScopes({ role }: Principal, scopes: readonly string[] = []): void {
  if (role !== 'member' || scopes.every((scope) => MEMBER_SCOPES.includes(scope))) return;
  throw new Failure(
    'role_not_allowed',
    `Members can only create keys with the scopes ${MEMBER_SCOPES.join(' and ')}.`,
    {
      param: 'scopes',
    },
  );
}

/** Members may only keep or lower a budget, since an owner may have set it. */
function refuseLift(now: KeyLimits, wanted: Partial<KeyLimits>): void {
  const isLifted = (name: keyof KeyLimits) => {
    const change = wanted[name];
    return change !== undefined && (change ?? Infinity) > (now[name] ?? Infinity);
  };
  if (!LIMITS.some(isLifted)) return;
  throw new Failure(
    'role_not_allowed',
    'Only an owner of the account can raise the budget of a key: askd keys update --help',
  );
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
