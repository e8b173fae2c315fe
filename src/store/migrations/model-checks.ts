/** The last check of each model file: its verdict and its speed on this machine. */
export const modelChecks = `
CREATE TABLE model_checks(
  fingerprint TEXT PRIMARY KEY,
  artifact TEXT NOT NULL,
  verdict TEXT NOT NULL CHECK(verdict IN ('good', 'weak', 'broken', 'unknown')),
  summary TEXT NOT NULL,
  is_full INTEGER NOT NULL CHECK(is_full IN (0, 1)),
  steps TEXT NOT NULL,
  tokens_per_second TEXT NOT NULL,
  checked_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
`;
