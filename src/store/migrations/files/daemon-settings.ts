/**
 * The settings of the daemon's last run that were not defaults, and the key files that it read. For values that may
 * be secret, only a keyed hash is stored.
 */
export const daemonSettings = `
CREATE TABLE daemon_settings(
  name TEXT PRIMARY KEY,
  shown TEXT NOT NULL,
  source TEXT NOT NULL,
  hash BLOB NOT NULL CHECK(length(hash) = 32)
) STRICT, WITHOUT ROWID;
`;
