/** Accounts beside the one of the machine, which has no name. Events before this one were all of that account. */
export const teamAccounts = `
ALTER TABLE accounts ADD COLUMN name TEXT;
ALTER TABLE accounts ADD COLUMN suspended_at INTEGER;
CREATE UNIQUE INDEX accounts_by_name ON accounts(name);

ALTER TABLE events ADD COLUMN account_id TEXT NOT NULL DEFAULT 'acct_local';
`;
