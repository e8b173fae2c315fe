/** A download may be paused. SQLite cannot change a CHECK, so the table is rebuilt. */
export const pausedDownloads = `
CREATE TABLE downloads_with_pauses(
  id TEXT PRIMARY KEY,
  artifact_id TEXT NOT NULL,
  plan TEXT NOT NULL CHECK(json_valid(plan)),
  state TEXT NOT NULL CHECK(state IN ('queued', 'downloading', 'paused', 'done', 'failed', 'cancelled')),
  failure TEXT CHECK(failure IS NULL OR json_valid(failure)),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
INSERT INTO downloads_with_pauses SELECT * FROM downloads ORDER BY rowid;
DROP TABLE downloads;
ALTER TABLE downloads_with_pauses RENAME TO downloads;
CREATE UNIQUE INDEX downloads_open ON downloads(artifact_id) WHERE state IN ('queued', 'downloading', 'paused');
CREATE INDEX downloads_by_time ON downloads(created_at);
`;
