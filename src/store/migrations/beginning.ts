/** Events, keys, models and usage. */
export const beginning = `
CREATE TABLE events(
  sequence INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  type TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  data TEXT NOT NULL CHECK(json_valid(data))
) STRICT;
CREATE TRIGGER events_no_update BEFORE UPDATE ON events BEGIN SELECT RAISE(ABORT, 'events are append-only'); END;

CREATE TABLE api_keys(
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL,
  name TEXT NOT NULL CHECK(length(name) BETWEEN 1 AND 255),
  hash BLOB NOT NULL UNIQUE CHECK(length(hash) = 32),
  prefix TEXT NOT NULL,
  last_four TEXT NOT NULL,
  scopes TEXT NOT NULL,
  is_active INTEGER NOT NULL DEFAULT 1 CHECK(is_active IN (0, 1)),
  created_at INTEGER NOT NULL,
  expires_at INTEGER,
  revoked_at INTEGER,
  last_used_at INTEGER
) STRICT;
CREATE INDEX api_keys_listed ON api_keys(account_id, created_at) WHERE revoked_at IS NULL;

CREATE TABLE artifacts(
  id TEXT PRIMARY KEY,
  manifest TEXT NOT NULL CHECK(json_valid(manifest)),
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE bindings(
  service TEXT PRIMARY KEY,
  artifact_id TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE calibrations(
  artifact TEXT NOT NULL,
  machine TEXT NOT NULL,
  threads INTEGER NOT NULL CHECK(threads > 0),
  measurements TEXT NOT NULL CHECK(json_valid(measurements)),
  created_at INTEGER NOT NULL,
  PRIMARY KEY(artifact, machine)
) STRICT, WITHOUT ROWID;

CREATE TABLE usage(
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL,
  key_id TEXT,
  task TEXT NOT NULL,
  model TEXT NOT NULL,
  artifact TEXT NOT NULL,
  prompt_tokens INTEGER NOT NULL CHECK(prompt_tokens >= 0),
  cached_tokens INTEGER NOT NULL CHECK(cached_tokens >= 0),
  completion_tokens INTEGER NOT NULL CHECK(completion_tokens >= 0),
  outcome TEXT NOT NULL CHECK(outcome IN ('finished', 'disconnected', 'failed')),
  started_at INTEGER NOT NULL,
  duration_ms INTEGER NOT NULL CHECK(duration_ms >= 0)
) STRICT;
CREATE INDEX usage_by_time ON usage(account_id, started_at);
`;
