/** The people of an account. Sessions and keys without a member belong to the owner, on the command line. */
export const teamMembers = `
CREATE TABLE members(
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts(id),
  name TEXT NOT NULL,
  email TEXT,
  role TEXT NOT NULL CHECK(role IN ('owner', 'member', 'billing')),
  created_at INTEGER NOT NULL,
  UNIQUE(account_id, name)
) STRICT;

ALTER TABLE sessions ADD COLUMN member_id TEXT;
ALTER TABLE api_keys ADD COLUMN member_id TEXT;
`;
