/** Uploaded files, and vector stores: collections of documents that belong to a key. */
export const vectorStores = `
CREATE TABLE files(
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL,
  key_id TEXT,
  purpose TEXT NOT NULL,
  name TEXT NOT NULL,
  bytes INTEGER NOT NULL CHECK(bytes > 0),
  created_at INTEGER NOT NULL,
  expires_at INTEGER
) STRICT;
CREATE INDEX files_of ON files(account_id, created_at);

CREATE TABLE vector_stores(
  id TEXT PRIMARY KEY,
  collection_id INTEGER NOT NULL UNIQUE REFERENCES collections(id) ON DELETE CASCADE,
  account_id TEXT NOT NULL,
  key_id TEXT,
  name TEXT NOT NULL,
  metadata TEXT NOT NULL,
  expires_after_days INTEGER CHECK(expires_after_days > 0),
  created_at INTEGER NOT NULL,
  last_active_at INTEGER NOT NULL
) STRICT;
CREATE INDEX vector_stores_of ON vector_stores(account_id, created_at);

CREATE TABLE vector_store_files(
  store_id TEXT NOT NULL REFERENCES vector_stores(id) ON DELETE CASCADE,
  file_id TEXT NOT NULL REFERENCES files(id) ON DELETE CASCADE,
  batch_id TEXT,
  status TEXT NOT NULL CHECK(status IN ('in_progress', 'completed', 'cancelled', 'failed')),
  error TEXT,
  attributes TEXT NOT NULL,
  chunks TEXT,
  created_at INTEGER NOT NULL,
  PRIMARY KEY(store_id, file_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX vector_store_files_waiting ON vector_store_files(created_at) WHERE status = 'in_progress';
CREATE INDEX vector_store_files_of ON vector_store_files(file_id);

CREATE TABLE vector_store_batches(
  id TEXT PRIMARY KEY,
  store_id TEXT NOT NULL REFERENCES vector_stores(id) ON DELETE CASCADE,
  is_cancelled INTEGER NOT NULL DEFAULT 0 CHECK(is_cancelled IN (0, 1)),
  created_at INTEGER NOT NULL
) STRICT;
`;
