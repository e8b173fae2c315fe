/** Which smaller model drafts for which larger one. */
export const drafts = `
CREATE TABLE drafts(
  artifact_id TEXT PRIMARY KEY,
  draft_id TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
`;
