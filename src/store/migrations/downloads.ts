/** Downloads in progress, the files of downloaded artifacts, and aliases. */
export const downloads = `
CREATE TABLE downloads(
  id TEXT PRIMARY KEY,
  artifact_id TEXT NOT NULL,
  plan TEXT NOT NULL CHECK(json_valid(plan)),
  state TEXT NOT NULL CHECK(state IN ('queued', 'downloading', 'done', 'failed', 'cancelled')),
  failure TEXT CHECK(failure IS NULL OR json_valid(failure)),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX downloads_open ON downloads(artifact_id) WHERE state IN ('queued', 'downloading');
CREATE INDEX downloads_by_time ON downloads(created_at);

CREATE TABLE artifact_files(
  artifact_id TEXT NOT NULL REFERENCES artifacts(id) ON DELETE CASCADE,
  path TEXT NOT NULL,
  blob TEXT NOT NULL,
  bytes INTEGER NOT NULL CHECK(bytes >= 0),
  hash_kind TEXT NOT NULL CHECK(hash_kind IN ('sha256', 'git-sha1')),
  hash TEXT NOT NULL,
  is_fetched INTEGER NOT NULL CHECK(is_fetched IN (0, 1)),
  PRIMARY KEY(artifact_id, path)
) STRICT, WITHOUT ROWID;

CREATE TABLE aliases(
  alias TEXT PRIMARY KEY,
  artifact_id TEXT NOT NULL REFERENCES artifacts(id) ON DELETE CASCADE,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
`;
