/** Which askd migrated the file to which schema, so that an older one, which must refuse the file, can name it. */
export const schemaVersions = `
CREATE TABLE schema_versions(
  schema INTEGER PRIMARY KEY,
  askd TEXT NOT NULL,
  migrated_at INTEGER NOT NULL
) STRICT;
`;
