/** Searchable local documents, and the runs of the agent with their sources. */
export const agent = `
CREATE TABLE collections(
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE CHECK(length(name) BETWEEN 1 AND 64),
  embedder TEXT,
  version INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;

CREATE TABLE documents(
  id INTEGER PRIMARY KEY,
  collection_id INTEGER NOT NULL REFERENCES collections(id) ON DELETE CASCADE,
  root TEXT NOT NULL,
  path TEXT NOT NULL,
  title TEXT NOT NULL,
  bytes INTEGER NOT NULL,
  modified_ms INTEGER NOT NULL,
  sha256 TEXT NOT NULL,
  indexed_at INTEGER NOT NULL,
  UNIQUE(collection_id, path)
) STRICT;

CREATE TABLE passages(
  id INTEGER PRIMARY KEY,
  document_id INTEGER NOT NULL REFERENCES documents(id) ON DELETE CASCADE,
  place INTEGER NOT NULL,
  heading TEXT NOT NULL,
  page INTEGER,
  text TEXT NOT NULL,
  vector BLOB
) STRICT;
CREATE INDEX passages_of ON passages(document_id, place);

CREATE VIRTUAL TABLE passage_index USING fts5(
  title, heading, text, content='', contentless_delete=1, tokenize='porter unicode61 remove_diacritics 2'
);

CREATE TABLE agent_sessions(
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL,
  key_id TEXT,
  title TEXT NOT NULL,
  mode TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX agent_sessions_of ON agent_sessions(account_id, updated_at);

CREATE TABLE agent_runs(
  id TEXT PRIMARY KEY,
  session_id TEXT NOT NULL REFERENCES agent_sessions(id) ON DELETE CASCADE,
  mode TEXT NOT NULL CHECK(mode IN ('chat', 'research', 'coding')),
  model TEXT NOT NULL,
  query TEXT NOT NULL,
  status TEXT NOT NULL CHECK(status IN ('running', 'finished', 'failed', 'cancelled', 'interrupted')),
  stopped TEXT,
  max_cycles INTEGER NOT NULL,
  answer TEXT,
  result TEXT,
  started_at INTEGER NOT NULL,
  ended_at INTEGER,
  CHECK((status = 'running') = (ended_at IS NULL))
) STRICT;
CREATE INDEX agent_runs_of ON agent_runs(session_id, started_at);
CREATE UNIQUE INDEX agent_runs_one_at_a_time ON agent_runs(session_id) WHERE status = 'running';

CREATE TABLE agent_events(
  run_id TEXT NOT NULL REFERENCES agent_runs(id) ON DELETE CASCADE,
  seq INTEGER NOT NULL,
  event TEXT NOT NULL,
  PRIMARY KEY(run_id, seq)
) STRICT, WITHOUT ROWID;

CREATE TABLE agent_sources(
  run_id TEXT NOT NULL REFERENCES agent_runs(id) ON DELETE CASCADE,
  number INTEGER NOT NULL,
  url TEXT NOT NULL,
  title TEXT NOT NULL,
  sha256 TEXT,
  read_at INTEGER NOT NULL,
  PRIMARY KEY(run_id, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE agent_facts(
  run_id TEXT NOT NULL REFERENCES agent_runs(id) ON DELETE CASCADE,
  place INTEGER NOT NULL,
  source_number INTEGER NOT NULL,
  fact TEXT NOT NULL,
  quote TEXT NOT NULL,
  page INTEGER,
  PRIMARY KEY(run_id, place)
) STRICT, WITHOUT ROWID;

CREATE TABLE agent_pages(
  url TEXT PRIMARY KEY,
  final_url TEXT NOT NULL,
  title TEXT NOT NULL,
  passages TEXT NOT NULL,
  sha256 TEXT NOT NULL,
  fetched_at INTEGER NOT NULL
) STRICT;
`;
