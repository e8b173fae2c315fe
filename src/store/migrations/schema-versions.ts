/** Which askd brought the file to which schema: an older one, which must refuse the file, names it. */
export const schemaVersions = `
CREATE TABLE schema_versions(
  schema INTEGER PRIMARY KEY,
  askd TEXT NOT NULL,
  migrated_at INTEGER NOT NULL
) STRICT;
`;
