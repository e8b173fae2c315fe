/** Dashboard sessions. Ending one deletes its row. */
export const sessions = `
CREATE TABLE sessions(
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL,
  hash BLOB NOT NULL UNIQUE CHECK(length(hash) = 32),
  kind TEXT NOT NULL CHECK(kind IN ('browser', 'script')),
  user_agent TEXT,
  created_at INTEGER NOT NULL,
  last_seen_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX sessions_listed ON sessions(account_id, created_at);
`;
