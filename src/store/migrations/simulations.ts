/** Test keys, the failures simulated for them, and the usage records in which they happened. */
export const simulations = `
ALTER TABLE api_keys ADD COLUMN is_test INTEGER NOT NULL DEFAULT 0 CHECK(is_test IN (0, 1));
ALTER TABLE usage ADD COLUMN simulated TEXT;
CREATE TABLE simulations(
  id TEXT PRIMARY KEY,
  key_id TEXT NOT NULL REFERENCES api_keys(id),
  method TEXT NOT NULL,
  path TEXT NOT NULL,
  every INTEGER NOT NULL CHECK(every > 0),
  times INTEGER CHECK(times > 0),
  trouble TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
`;
