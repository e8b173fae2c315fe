/**
 * The audit log. A record is accepted only as the next one, never changed, and deleted only once a later record has
 * noted where the hash chain then starts.
 */
export const auditLog = `
CREATE TABLE audit_log(
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  created_at INTEGER NOT NULL,
  account_id TEXT,
  actor TEXT NOT NULL,
  actor_id TEXT,
  actor_name TEXT,
  client TEXT,
  address TEXT,
  request_id TEXT,
  action TEXT NOT NULL,
  object TEXT,
  before TEXT,
  after TEXT,
  outcome TEXT NOT NULL CHECK(outcome IN ('started', 'succeeded', 'failed', 'refused')),
  code TEXT,
  hash BLOB NOT NULL CHECK(length(hash) = 32)
) STRICT;
CREATE INDEX audit_log_actions ON audit_log(action, seq);
CREATE INDEX audit_log_objects ON audit_log(object, seq);
CREATE INDEX audit_log_requests ON audit_log(request_id, seq) WHERE request_id IS NOT NULL;

CREATE TRIGGER audit_log_next BEFORE INSERT ON audit_log
  WHEN NEW.seq IS NOT (SELECT coalesce(max(seq), 0) + 1 FROM audit_log)
  BEGIN SELECT RAISE(ABORT, 'this is not the next record of the audit log'); END;

CREATE TRIGGER audit_log_checkpoint BEFORE INSERT ON audit_log
  WHEN NEW.action = 'audit_log.prune' AND NOT EXISTS(SELECT 1 FROM audit_log a
    WHERE a.seq = CAST(NEW.object AS INTEGER) AND lower(hex(a.hash)) = json_extract(NEW.after, '$.hash'))
  BEGIN SELECT RAISE(ABORT, 'the checkpoint does not match the audit log'); END;

CREATE TRIGGER audit_log_no_update BEFORE UPDATE ON audit_log
  BEGIN SELECT RAISE(ABORT, 'records of the audit log are never changed'); END;

CREATE TRIGGER audit_log_no_delete BEFORE DELETE ON audit_log
  WHEN OLD.seq > coalesce(
    (SELECT CAST(object AS INTEGER) FROM audit_log WHERE action = 'audit_log.prune' ORDER BY seq DESC LIMIT 1), 0)
  BEGIN SELECT RAISE(ABORT, 'records of the audit log are kept'); END;
`;
