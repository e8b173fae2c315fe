/** Webhook endpoints, their pending deliveries, and every attempt. */
export const webhooks = `
CREATE TABLE webhook_endpoints(
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL,
  name TEXT NOT NULL CHECK(length(name) BETWEEN 1 AND 255),
  url TEXT NOT NULL CHECK(length(url) <= 2048),
  events TEXT NOT NULL CHECK(json_array_length(events) > 0),
  is_enabled INTEGER NOT NULL DEFAULT 1 CHECK(is_enabled IN (0, 1)),
  disabled_reason TEXT CHECK(disabled_reason IN ('gone', 'failing')),
  secret BLOB NOT NULL,
  previous_secret BLOB,
  previous_secret_until INTEGER,
  listener_port INTEGER,
  events_after INTEGER NOT NULL,
  failures INTEGER NOT NULL DEFAULT 0,
  failing_since INTEGER,
  failing_since_online_ms INTEGER,
  last_success_at INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  deleted_at INTEGER,
  CHECK(disabled_reason IS NULL OR is_enabled = 0)
) STRICT;

CREATE TABLE webhook_deliveries(
  endpoint_id TEXT NOT NULL REFERENCES webhook_endpoints(id),
  sequence INTEGER NOT NULL REFERENCES events(sequence),
  state TEXT NOT NULL CHECK(state IN ('pending', 'delivered', 'failed', 'expired')),
  attempts INTEGER NOT NULL DEFAULT 0,
  next_at INTEGER,
  finished_at INTEGER,
  PRIMARY KEY(endpoint_id, sequence),
  CHECK((state = 'pending') = (next_at IS NOT NULL)),
  CHECK((state = 'pending') = (finished_at IS NULL))
) STRICT, WITHOUT ROWID;
CREATE INDEX webhook_deliveries_due ON webhook_deliveries(endpoint_id, next_at, sequence) WHERE state = 'pending';
CREATE INDEX webhook_deliveries_by_event ON webhook_deliveries(sequence);

CREATE TABLE webhook_attempts(
  id INTEGER PRIMARY KEY,
  endpoint_id TEXT NOT NULL,
  sequence INTEGER NOT NULL,
  cause TEXT NOT NULL CHECK(cause IN ('schedule', 'resend', 'test')),
  started_at INTEGER NOT NULL,
  duration_ms INTEGER NOT NULL CHECK(duration_ms >= 0),
  status INTEGER,
  error TEXT,
  snippet TEXT NOT NULL CHECK(length(snippet) <= 1024),
  FOREIGN KEY(endpoint_id, sequence) REFERENCES webhook_deliveries(endpoint_id, sequence) ON DELETE CASCADE,
  CHECK((status IS NULL) = (error IS NOT NULL))
) STRICT;
CREATE INDEX webhook_attempts_of ON webhook_attempts(endpoint_id, sequence);

CREATE TABLE webhook_progress(
  only_row INTEGER PRIMARY KEY CHECK(only_row = 1),
  cursor INTEGER NOT NULL,
  online_ms INTEGER NOT NULL
) STRICT;
INSERT INTO webhook_progress SELECT 1, coalesce(max(sequence), 0), 0 FROM events;
`;
