/** Top-ups and their payment events, automatic top-ups, and outgoing mail. */
export const checkouts = `
CREATE TABLE checkouts(
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL,
  kind TEXT NOT NULL CHECK(kind IN ('manual', 'auto')),
  provider TEXT NOT NULL CHECK(provider IN ('local', 'stripe')),
  provider_ref TEXT UNIQUE,
  state TEXT NOT NULL DEFAULT 'created' CHECK(state IN ('created', 'paid', 'expired', 'failed')),
  amount_n INTEGER NOT NULL CHECK(amount_n > 0),
  bonus_n INTEGER NOT NULL CHECK(bonus_n >= 0),
  price_minor INTEGER NOT NULL CHECK(price_minor > 0),
  currency TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  closed_at INTEGER
) STRICT;
CREATE UNIQUE INDEX checkouts_one_auto ON checkouts(account_id) WHERE kind = 'auto' AND state = 'created';
CREATE INDEX checkouts_by_kind ON checkouts(account_id, kind, created_at);
CREATE TRIGGER checkouts_pay_once BEFORE UPDATE OF state ON checkouts WHEN OLD.state = 'paid'
  BEGIN SELECT RAISE(ABORT, 'the checkout is paid already'); END;

CREATE TABLE provider_events(
  provider TEXT NOT NULL,
  event_id TEXT NOT NULL,
  type TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY(provider, event_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE provider_customers(
  account_id TEXT NOT NULL,
  provider TEXT NOT NULL,
  customer TEXT NOT NULL,
  PRIMARY KEY(account_id, provider)
) STRICT, WITHOUT ROWID;

CREATE TABLE auto_topups(
  account_id TEXT PRIMARY KEY,
  failures INTEGER NOT NULL CHECK(failures >= 0),
  retry_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE mails(
  id TEXT PRIMARY KEY,
  recipient TEXT NOT NULL,
  subject TEXT NOT NULL,
  body TEXT NOT NULL,
  state TEXT NOT NULL DEFAULT 'pending' CHECK(state IN ('pending', 'sent', 'failed')),
  attempts INTEGER NOT NULL DEFAULT 0,
  next_at INTEGER NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX mails_due ON mails(next_at) WHERE state = 'pending';
`;
