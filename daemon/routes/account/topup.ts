import { openTopUp, topUp } from '../../../src/api/account/topup.ts';
import {
  getWallet,
  getWalletSettings,
  putWalletSettings,
  type WalletSettings,
  type WalletSettingsRequest,
} from '../../../src/api/account/wallet-settings.ts';
import type { Principal } from '../../../src/access/keys.ts';
import { toIso } from '../../../src/base/clock.ts';
import { Failure } from '../../../src/base/errors.ts';
import { toCredits, toNano } from '../../../src/base/money.ts';
import type { AllSettings } from '../../../src/wallet/settings.ts';
import { priceOf } from '../../../src/wallet/topup-options.ts';
import { ACCOUNT_ID } from '../../auth/account.ts';
import type { Services } from '../../compose.ts';
import type { Call, RegisterRoute } from '../../http/register-route.ts';

const LATEST_TRANSACTIONS = 10;

type Starting = Pick<Call<typeof topUp>, 'body' | 'principal' | 'reply'>;

export function registerTopup(register: RegisterRoute, { topups, wallet, notices, store }: Services): void {
  /** Without a payment provider credits cost nothing, so only the owner of the machine can add them. */
  function refuseFreeCredits({ accountId, isRoot }: Principal): void {
    if (topups.stripeEvents !== undefined || accountId === ACCOUNT_ID || isRoot === true) return;
    throw new Failure(
      'role_not_allowed',
      'Only the owner of this server can add credits: askd wallet topup AMOUNT --account NAME',
    );
  }

  async function start({ body, principal, reply }: Starting) {
    refuseFreeCredits(principal);
    const { url, amountN, bonusN, currency, expiresAt } = await topups.checkouts.open(
      principal.accountId,
      body.amount,
    );
    void reply.header('cache-control', 'no-store');
    return {
      checkout_url: url,
      amount: toCredits(amountN),
      currency,
      bonus: toCredits(bonusN),
      total: toCredits(amountN + bonusN),
      expires_at: toIso(expiresAt),
    };
  }

  register(topUp, start);

  register(openTopUp, start);

  register(getWallet, ({ principal: { accountId } }) => ({
    balance: wallet.balance(accountId),
    transactions: wallet.transactions(accountId, { limit: LATEST_TRANSACTIONS }),
    notices: notices.list(accountId),
  }));

  register(getWalletSettings, ({ principal }) => toRecord(wallet.settings.get(principal.accountId)));

  register(putWalletSettings, ({ body, principal }) => {
    const { accountId } = principal;
    if (body.auto_topup?.enabled) refuseFreeCredits(principal);
    const changed = store.transaction(() => {
      if (body.auto_topup) topups.autoTopups.reset(accountId);
      return wallet.settings.put(accountId, fromRequest(body));
    });
    void topups.autoTopups.check(accountId);
    return toRecord(changed);
  });
}

function fromRequest(body: WalletSettingsRequest): Partial<AllSettings> {
  const { auto_topup: auto, spending_limit: limit, low_balance_alert: alert } = body;
  if (auto?.enabled) checkAmount(auto.amount);
  return {
    ...(auto && {
      autoTopup: {
        enabled: auto.enabled,
        thresholdN: toNano(auto.threshold),
        amountN: toNano(auto.amount),
      },
    }),
    ...(limit && {
      spendingLimit: {
        enabled: limit.enabled,
        limitN: toNano(limit.monthly_limit),
        action: limit.action,
      },
    }),
    ...(alert && {
      lowBalanceAlert: {
        enabled: alert.enabled,
        thresholdN: toNano(alert.threshold),
        email: alert.email ?? null,
      },
    }),
  };
}

/** Automatic top-ups have the same limits as manual ones. */
function checkAmount(amount: number): void {
  try {
    priceOf(amount);
  } catch (error) {
    const { code, message } = error as Failure;
    throw new Failure(code, message, { param: 'auto_topup.amount' });
  }
}

function toRecord({ autoTopup, spendingLimit, lowBalanceAlert }: AllSettings): WalletSettings {
  return {
    auto_topup: {
      enabled: autoTopup.enabled,
      threshold: toCredits(autoTopup.thresholdN),
      amount: toCredits(autoTopup.amountN),
    },
    spending_limit: {
      enabled: spendingLimit.enabled,
      monthly_limit: toCredits(spendingLimit.limitN),
      action: spendingLimit.action,
    },
    low_balance_alert: {
      enabled: lowBalanceAlert.enabled,
      threshold: toCredits(lowBalanceAlert.thresholdN),
      email: lowBalanceAlert.email,
    },
  };
}
