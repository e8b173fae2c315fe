/** The artifacts that serve a service model while the bound one cannot. */
export const fallbacks = `
CREATE TABLE fallbacks(
  service TEXT NOT NULL,
  artifact_id TEXT NOT NULL,
  position INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY(service, artifact_id)
) STRICT, WITHOUT ROWID;
`;
