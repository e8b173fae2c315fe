/** Accounts besides the machine's own, which has no name. Earlier events all belong to that account. */
export const teamAccounts = `
ALTER TABLE accounts ADD COLUMN name TEXT;
ALTER TABLE accounts ADD COLUMN suspended_at INTEGER;
CREATE UNIQUE INDEX accounts_by_name ON accounts(name);

ALTER TABLE events ADD COLUMN account_id TEXT NOT NULL DEFAULT 'acct_local';
`;
