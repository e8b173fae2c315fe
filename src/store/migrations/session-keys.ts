/** Short-lived API keys of dashboard sessions. Ending a session deletes its keys. */
export const sessionKeys = `
CREATE TABLE session_keys(
  hash BLOB PRIMARY KEY CHECK(length(hash) = 32),
  session_id TEXT NOT NULL REFERENCES sessions(id) ON DELETE CASCADE,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX session_keys_of ON session_keys(session_id, expires_at);
`;
