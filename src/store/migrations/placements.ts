/** Where the layers of a model go, as its owner chose. */
export const placements = `
CREATE TABLE placements(
  artifact_id TEXT PRIMARY KEY,
  placement TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
`;
