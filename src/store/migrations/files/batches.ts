/** Requests in a file, processed when nobody is waiting. A result stays here until all of them are in a file. */
export const batches = `
CREATE TABLE batches(
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL,
  key_id TEXT,
  input_file_id TEXT NOT NULL,
  endpoint TEXT NOT NULL,
  completion_window TEXT NOT NULL,
  metadata TEXT NOT NULL,
  output_ttl_ms INTEGER CHECK(output_ttl_ms > 0),
  status TEXT NOT NULL CHECK(status IN (
    'validating', 'in_progress', 'finalizing', 'completed', 'failed', 'expired', 'cancelling', 'cancelled')),
  model TEXT,
  errors TEXT,
  waiting TEXT,
  total INTEGER NOT NULL DEFAULT 0,
  completed INTEGER NOT NULL DEFAULT 0,
  failed INTEGER NOT NULL DEFAULT 0 CHECK(completed + failed <= total),
  output_file_id TEXT,
  error_file_id TEXT,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  in_progress_at INTEGER,
  finalizing_at INTEGER,
  completed_at INTEGER,
  failed_at INTEGER,
  expired_at INTEGER,
  cancelling_at INTEGER,
  cancelled_at INTEGER
) STRICT;
CREATE INDEX batches_of ON batches(account_id, created_at);
CREATE INDEX batches_open ON batches(created_at)
  WHERE status IN ('validating', 'in_progress', 'finalizing', 'cancelling');

CREATE TABLE batch_results(
  batch_id TEXT NOT NULL REFERENCES batches(id) ON DELETE CASCADE,
  line INTEGER NOT NULL CHECK(line > 0),
  is_error INTEGER NOT NULL CHECK(is_error IN (0, 1)),
  text TEXT NOT NULL,
  PRIMARY KEY(batch_id, line)
) STRICT;

ALTER TABLE usage ADD COLUMN batch_id TEXT;
CREATE INDEX usage_of_batch ON usage(batch_id) WHERE batch_id IS NOT NULL;
`;
