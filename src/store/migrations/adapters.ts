/** LoRA adapters, each for one model. */
export const adapters = `
CREATE TABLE adapters(
  name TEXT PRIMARY KEY,
  base_id TEXT NOT NULL,
  path TEXT NOT NULL,
  bytes INTEGER NOT NULL,
  scale REAL NOT NULL,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
`;
