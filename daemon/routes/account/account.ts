import {
  auditLedger,
  getTier,
  setProfile,
  setTier,
  type TierRecord,
} from '../../../src/api/account/account.ts';
import { getLimitsLeft, getRateLimit } from '../../../src/api/account/rate-limit.ts';
import { toIso } from '../../../src/base/clock.ts';
import type { CustomLimits } from '../../../src/limits/tiers.ts';
import type { Services } from '../../compose.ts';
import type { RegisterRoute } from '../../http/register-route.ts';
import { auditInThread } from '../../jobs/ledger-audit.ts';
import { applyProfile } from '../../profile.ts';
import { toBudgetRecord } from './keys.ts';

export function registerAccount(register: RegisterRoute, services: Services): void {
  const { tiers, budgets, rates, quota } = services;
  let reset = { ms: 0, text: toIso(0) };

  const limitsLeft = (accountId: string, keyId: string | null) => {
    const { rpm, tpm, resetMs } = rates.status(accountId, keyId);
    const { used, limit } = quota.status(accountId);
    // Formatting a date takes as long as all other fields, and each minute has only one end.
    if (reset.ms !== resetMs) reset = { ms: resetMs, text: toIso(resetMs) };
    return {
      limit: rpm.limit,
      remaining: rpm.remaining,
      reset: reset.text,
      tokens: tpm,
      month: { used, limit },
      ...(keyId !== null &&
        budgets.has(keyId) && { budget: toBudgetRecord(budgets.reportOne(accountId, keyId)) }),
    };
  };

  register(getRateLimit, ({ principal: { accountId, keyId } }) => limitsLeft(accountId, keyId));

  register(getLimitsLeft, ({ principal: { accountId } }) => limitsLeft(accountId, null));

  register(auditLedger, () => auditInThread(services.settings.paths.database));

  register(getTier, ({ principal }) => toRecord(services, principal.accountId));

  register(setTier, ({ body, principal: { accountId } }) => {
    const { rpm, tpm, monthly_tokens: monthlyTokens } = body;
    const custom: CustomLimits = {
      ...(rpm !== undefined && { rpm }),
      ...(tpm !== undefined && { tpm }),
      ...(monthlyTokens !== undefined && { monthlyTokens }),
    };
    tiers.set(accountId, body.tier, custom);
    return toRecord(services, accountId);
  });

  register(setProfile, ({ body, principal: { accountId } }) => {
    applyProfile(services, accountId, body.profile);
    return toRecord(services, accountId);
  });
}

function toRecord({ tiers, quota }: Services, accountId: string): TierRecord {
  const { name, rpm, tpm, monthlyTokens } = tiers.of(accountId);
  return {
    profile: tiers.profileOf(accountId) ?? '',
    tier: name,
    rpm,
    tpm,
    monthly_tokens: monthlyTokens ?? null,
    used_tokens: quota.status(accountId).used,
  };
}
