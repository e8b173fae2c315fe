import type { Store } from '../store/store.ts';

export type WalletSettings = ReturnType<typeof createWalletSettings>;

export type AutoTopup = { enabled: boolean; thresholdN: number; amountN: number };
export type SpendingLimit = { enabled: boolean; limitN: number; action: 'block' | 'alert' };
export type LowBalanceAlert = { enabled: boolean; thresholdN: number; email: string | null };
export type AllSettings = {
  autoTopup: AutoTopup;
  spendingLimit: SpendingLimit;
  lowBalanceAlert: LowBalanceAlert;
};

type Row = {
  auto_topup_enabled: number;
  auto_topup_threshold_n: number;
  auto_topup_amount_n: number;
  spending_limit_enabled: number;
  spending_limit_n: number;
  spending_limit_action: 'block' | 'alert';
  low_balance_enabled: number;
  low_balance_threshold_n: number;
  low_balance_email: string | null;
};

const UNSET: AllSettings = {
  autoTopup: { enabled: false, thresholdN: 0, amountN: 0 },
  spendingLimit: { enabled: false, limitN: 0, action: 'block' },
  lowBalanceAlert: { enabled: false, thresholdN: 0, email: null },
};

/** The owner's settings about money. */
export function createWalletSettings({ store }: { store: Store }) {
  function get(accountId: string): AllSettings {
    const row = store.prepare<Row>('SELECT * FROM wallet_settings WHERE account_id = ?').get(accountId);
    return row ? fromRow(row) : UNSET;
  }

  /** Replaces the given parts. A changed alert is re-armed. */
  function put(accountId: string, changes: Partial<AllSettings>): AllSettings {
    return store.transaction(() => {
      const { autoTopup, spendingLimit, lowBalanceAlert } = { ...get(accountId), ...changes };
      store.prepare(PUT).run({
        accountId,
        autoTopupEnabled: Number(autoTopup.enabled),
        autoTopupThreshold: autoTopup.thresholdN,
        autoTopupAmount: autoTopup.amountN,
        spendingLimitEnabled: Number(spendingLimit.enabled),
        spendingLimit: spendingLimit.limitN,
        spendingLimitAction: spendingLimit.action,
        lowBalanceEnabled: Number(lowBalanceAlert.enabled),
        lowBalanceThreshold: lowBalanceAlert.thresholdN,
        lowBalanceEmail: lowBalanceAlert.email,
      });
      return get(accountId);
    });
  }

  /** The accounts with automatic top-up. */
  function withAutoTopup(): string[] {
    const sql = 'SELECT account_id AS id FROM wallet_settings WHERE auto_topup_enabled = 1';
    return store
      .prepare<{ id: string }>(sql)
      .all()
      .map(({ id }) => id);
  }

  return { get, put, withAutoTopup, spendingLimit: (accountId: string) => get(accountId).spendingLimit };
}

function fromRow(row: Row): AllSettings {
  return {
    autoTopup: {
      enabled: row.auto_topup_enabled === 1,
      thresholdN: row.auto_topup_threshold_n,
      amountN: row.auto_topup_amount_n,
    },
    spendingLimit: {
      enabled: row.spending_limit_enabled === 1,
      limitN: row.spending_limit_n,
      action: row.spending_limit_action,
    },
    lowBalanceAlert: {
      enabled: row.low_balance_enabled === 1,
      thresholdN: row.low_balance_threshold_n,
      email: row.low_balance_email,
    },
  };
}

const PUT = `
  INSERT OR REPLACE INTO wallet_settings(account_id, auto_topup_enabled, auto_topup_threshold_n, auto_topup_amount_n,
    spending_limit_enabled, spending_limit_n, spending_limit_action, low_balance_enabled, low_balance_threshold_n,
    low_balance_email)
  VALUES(@accountId, @autoTopupEnabled, @autoTopupThreshold, @autoTopupAmount, @spendingLimitEnabled, @spendingLimit,
    @spendingLimitAction, @lowBalanceEnabled, @lowBalanceThreshold, @lowBalanceEmail)`;
