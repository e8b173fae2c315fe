/** The account's tier, its wallet with the ledger, monthly counters, notices, and responses stored for retries. */
export const accounts = `
CREATE TABLE accounts(
  id TEXT PRIMARY KEY,
  profile TEXT NOT NULL,
  tier TEXT NOT NULL,
  rpm INTEGER CHECK(rpm > 0),
  tpm INTEGER CHECK(tpm > 0),
  monthly_tokens INTEGER CHECK(monthly_tokens > 0),
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE quota_months(
  account_id TEXT NOT NULL,
  month TEXT NOT NULL,
  tokens INTEGER NOT NULL DEFAULT 0 CHECK(tokens >= 0),
  free_tokens INTEGER NOT NULL DEFAULT 0 CHECK(free_tokens BETWEEN 0 AND tokens),
  PRIMARY KEY(account_id, month)
) STRICT, WITHOUT ROWID;

CREATE TABLE wallets(
  account_id TEXT PRIMARY KEY,
  posted_n INTEGER NOT NULL DEFAULT 0 CHECK(posted_n BETWEEN 0 AND 9000000000000000),
  held_n INTEGER NOT NULL DEFAULT 0 CHECK(held_n >= 0),
  last_seq INTEGER NOT NULL DEFAULT 0,
  last_credit_seq INTEGER NOT NULL DEFAULT 0,
  CHECK(held_n <= posted_n)
) STRICT, WITHOUT ROWID;

CREATE TABLE holds(
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES wallets(account_id),
  request_id TEXT NOT NULL UNIQUE,
  amount_n INTEGER NOT NULL CHECK(amount_n >= 0),
  cost_n INTEGER NOT NULL DEFAULT 0 CHECK(cost_n BETWEEN 0 AND amount_n),
  state TEXT NOT NULL DEFAULT 'open' CHECK(state IN ('open', 'settled', 'released')),
  month TEXT NOT NULL,
  boot_id TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  closed_at INTEGER
) STRICT;
CREATE INDEX holds_open ON holds(account_id) WHERE state = 'open';
CREATE TRIGGER holds_close_once BEFORE UPDATE ON holds WHEN OLD.state <> 'open'
  BEGIN SELECT RAISE(ABORT, 'the hold is closed already'); END;

CREATE TABLE wallet_transactions(
  account_id TEXT NOT NULL REFERENCES wallets(account_id),
  seq INTEGER NOT NULL,
  id TEXT NOT NULL UNIQUE,
  type TEXT NOT NULL CHECK(type IN ('topup', 'usage', 'refund', 'bonus')),
  amount_n INTEGER NOT NULL CHECK(amount_n <> 0 AND (type = 'usage') = (amount_n < 0)),
  balance_after_n INTEGER NOT NULL CHECK(balance_after_n >= 0),
  description TEXT NOT NULL,
  ref_type TEXT NOT NULL,
  ref_id TEXT NOT NULL,
  meta TEXT CHECK(meta IS NULL OR json_valid(meta)),
  created_at INTEGER NOT NULL,
  PRIMARY KEY(account_id, seq),
  UNIQUE(type, ref_type, ref_id)
) STRICT;
CREATE INDEX wallet_transactions_credits ON wallet_transactions(account_id, type, seq) WHERE type <> 'usage';
CREATE TRIGGER wallet_transactions_no_update BEFORE UPDATE ON wallet_transactions
  BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER wallet_transactions_no_delete BEFORE DELETE ON wallet_transactions
  BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;

CREATE TABLE wallet_months(
  account_id TEXT NOT NULL,
  month TEXT NOT NULL,
  spent_n INTEGER NOT NULL DEFAULT 0 CHECK(spent_n >= 0),
  held_n INTEGER NOT NULL DEFAULT 0 CHECK(held_n >= 0),
  PRIMARY KEY(account_id, month)
) STRICT, WITHOUT ROWID;

CREATE TABLE wallet_settings(
  account_id TEXT PRIMARY KEY,
  auto_topup_enabled INTEGER NOT NULL DEFAULT 0 CHECK(auto_topup_enabled IN (0, 1)),
  auto_topup_threshold_n INTEGER NOT NULL DEFAULT 0 CHECK(auto_topup_threshold_n >= 0),
  auto_topup_amount_n INTEGER NOT NULL DEFAULT 0 CHECK(auto_topup_amount_n >= 0),
  spending_limit_enabled INTEGER NOT NULL DEFAULT 0 CHECK(spending_limit_enabled IN (0, 1)),
  spending_limit_n INTEGER NOT NULL DEFAULT 0 CHECK(spending_limit_n >= 0),
  spending_limit_action TEXT NOT NULL DEFAULT 'block' CHECK(spending_limit_action IN ('block', 'alert')),
  low_balance_enabled INTEGER NOT NULL DEFAULT 0 CHECK(low_balance_enabled IN (0, 1)),
  low_balance_threshold_n INTEGER NOT NULL DEFAULT 0 CHECK(low_balance_threshold_n >= 0),
  low_balance_email TEXT,
  low_balance_armed INTEGER NOT NULL DEFAULT 1 CHECK(low_balance_armed IN (0, 1))
) STRICT, WITHOUT ROWID;

CREATE TABLE notices(
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL,
  kind TEXT NOT NULL,
  period TEXT NOT NULL,
  message TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  UNIQUE(account_id, kind, period)
) STRICT;

CREATE TABLE idempotency(
  scope_hash BLOB PRIMARY KEY CHECK(length(scope_hash) = 32),
  fingerprint BLOB NOT NULL CHECK(length(fingerprint) = 32),
  state TEXT NOT NULL CHECK(state IN ('running', 'done')),
  boot_id TEXT NOT NULL,
  request_id TEXT NOT NULL,
  status INTEGER,
  headers TEXT,
  body_sealed BLOB,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX idempotency_expiry ON idempotency(expires_at);

ALTER TABLE usage ADD COLUMN cost_n INTEGER NOT NULL DEFAULT 0 CHECK(cost_n >= 0);
ALTER TABLE usage ADD COLUMN characters INTEGER NOT NULL DEFAULT 0 CHECK(characters >= 0);
ALTER TABLE usage ADD COLUMN seconds REAL NOT NULL DEFAULT 0 CHECK(seconds >= 0);
ALTER TABLE usage ADD COLUMN images INTEGER NOT NULL DEFAULT 0 CHECK(images >= 0);
`;
