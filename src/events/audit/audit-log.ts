import { toIso, type Clock } from '../../base/clock.ts';
import { redactSecrets } from '../../base/secrets.ts';
import type { Store } from '../../store/store.ts';
import { hashOf, NO_HASH, PRUNE, type AuditFields, type AuditRow, type Outcome } from './audit-row.ts';

export type Actor = {
  kind: 'root_token' | 'session' | 'api_key' | 'operator' | 'daemon' | 'payment_provider' | 'nobody';
  id?: string | null;
  /** The prefix of a key, or the browser of a session: what a person recognises after the credential is gone. */
  name?: string | null;
};

/** One management action. Undefined means unknown or not applicable. */
export type AuditEntry = {
  action: string;
  outcome: Outcome;
  actor: Actor;
  accountId?: string | undefined;
  object?: string | undefined;
  before?: unknown;
  after?: unknown;
  /** Why it failed or was refused. */
  code?: string | undefined;
  client?: string | undefined;
  address?: string | undefined;
  requestId?: string | undefined;
  /** For actions that happened while the daemon was not running. */
  at?: number;
};

export type AuditQuery = {
  since?: number | undefined;
  until?: number | undefined;
  /** `api_key` stands for all actions on keys. */
  action?: string | undefined;
  /** A kind of actor, or an actor's id or name. */
  by?: string | undefined;
  object?: string | undefined;
  accountId?: string | undefined;
  outcome?: Outcome | undefined;
  /** Newest first and older than this record, or oldest first and newer than that one. */
  before?: number | undefined;
  after?: number | undefined;
  limit: number;
};

export type AuditLog = ReturnType<typeof createAuditLog>;

const DAY_MS = 86_400_000;
const PRUNED_AT_ONCE = 2_000;
const TEXT_LENGTH_MAX = 500;
const STATE_LENGTH_MAX = 16_384;

/** Who did what, from where, and what it changed: one record in the transaction of each management action. */
export function createAuditLog({ store, clock, days }: { store: Store; clock: Clock; days: number }) {
  function record(entry: AuditEntry): void {
    store.transaction(() => append(entry));
  }

  function append(entry: AuditEntry): void {
    const last = store.prepare<AuditRow>(LAST).get();
    const row = toFields(entry, (last?.seq ?? 0) + 1, entry.at ?? clock.now());
    store.prepare(INSERT).run({ ...row, hash: hashOf(last?.hash ?? NO_HASH, row) });
  }

  function list({ limit, ...query }: AuditQuery) {
    const { since, until, action, by, object, accountId, outcome, before, after } = query;
    const wanted = { since, until, action, by, object, accountId, outcome, before, after };
    const values = Object.fromEntries(Object.entries(wanted).map(([name, value]) => [name, value ?? null]));
    const rows = store
      .prepare<AuditRow>(after === undefined ? NEWEST_FIRST : OLDEST_FIRST)
      .all({ ...values, limit: limit + 1 });
    return { records: rows.slice(0, limit).map(toRecord), has_more: rows.length > limit };
  }

  /** Deletes records past their retention, once a day, behind a checkpoint. Returns whether there may be more. */
  function prune(): boolean {
    return store.transaction(() => {
      const now = clock.now();
      const first = store.prepare<AuditRow>(FIRST).get();
      if (!first || first.created_at >= now - (days + 1) * DAY_MS) return false;
      const kept = store.prepare<{ seq: number }>(FIRST_SINCE).get(now - days * DAY_MS);
      const last = store.prepare<AuditRow>(LAST).get();
      const due = (kept?.seq ?? (last?.seq ?? 0) + 1) - 1;
      const through = Math.min(due, first.seq + PRUNED_AT_ONCE - 1);
      const checkpoint = store.prepare<AuditRow>('SELECT * FROM audit_log WHERE seq = ?').get(through);
      if (!checkpoint) return false;
      const after = { records: through - first.seq + 1, hash: checkpoint.hash.toString('hex') };
      const actor = { kind: 'daemon' } as const;
      append({ action: PRUNE, outcome: 'succeeded', actor, object: String(through), after });
      store.prepare('DELETE FROM audit_log WHERE seq <= ?').run(through);
      return through < due;
    });
  }

  return { record, list, prune, latest: (action: string) => store.prepare<AuditRow>(LATEST).get(action) };
}

function toFields(entry: AuditEntry, seq: number, now: number): AuditFields {
  const { actor } = entry;
  return {
    seq,
    created_at: now,
    account_id: entry.accountId ?? null,
    actor: actor.kind,
    actor_id: safe(actor.id),
    actor_name: safe(actor.name),
    client: safe(entry.client),
    address: safe(entry.address),
    request_id: entry.requestId ?? null,
    action: entry.action,
    object: safe(entry.object),
    before: stateText(entry.before),
    after: stateText(entry.after),
    outcome: entry.outcome,
    code: entry.code ?? null,
  };
}

/** The user and password in a URL are secrets, too. */
const CREDENTIALS = /:\/\/[^/?#\s"@]+@/g;

/** A secret that somebody pasted in place of a name must not be kept for years. */
function safe(text: string | null | undefined): string | null {
  return text == null ? null : redactSecrets(text.replace(CREDENTIALS, '://')).slice(0, TEXT_LENGTH_MAX);
}

function stateText(state: unknown): string | null {
  if (state === undefined || state === null) return null;
  const text = redactSecrets(JSON.stringify(state).replace(CREDENTIALS, '://'));
  return text.length <= STATE_LENGTH_MAX ? text : JSON.stringify({ characters: text.length });
}

export type AuditRecord = ReturnType<typeof toRecord>;

function toRecord(row: AuditRow) {
  const state = (text: string | null) => (text === null ? null : (JSON.parse(text) as unknown));
  return {
    seq: row.seq,
    created_at: toIso(row.created_at),
    action: row.action,
    object: row.object,
    account_id: row.account_id,
    outcome: row.outcome,
    code: row.code,
    actor: { kind: row.actor, id: row.actor_id, name: row.actor_name },
    client: row.client,
    address: row.address,
    request_id: row.request_id,
    before: state(row.before),
    after: state(row.after),
    hash: row.hash.toString('hex'),
  };
}

const FIRST = 'SELECT * FROM audit_log ORDER BY seq LIMIT 1';
const LAST = 'SELECT * FROM audit_log ORDER BY seq DESC LIMIT 1';
const FIRST_SINCE = 'SELECT seq FROM audit_log WHERE created_at >= ? ORDER BY seq LIMIT 1';
const LATEST = 'SELECT * FROM audit_log WHERE action = ? ORDER BY seq DESC LIMIT 1';

const INSERT = `
  INSERT INTO audit_log VALUES(@seq, @created_at, @account_id, @actor, @actor_id, @actor_name, @client, @address,
    @request_id, @action, @object, @before, @after, @outcome, @code, @hash)`;

/** The start of an action counts until its end is recorded. */
const WANTED = `
  SELECT * FROM audit_log WHERE (@since IS NULL OR created_at >= @since) AND (@until IS NULL OR created_at < @until)
    AND (@action IS NULL OR action = @action OR action GLOB @action || '.*')
    AND (@by IS NULL OR @by IN (actor, actor_id, actor_name))
    AND (@object IS NULL OR object = @object) AND (@accountId IS NULL OR account_id = @accountId) AND (@outcome IS NULL OR outcome = @outcome)
    AND (@before IS NULL OR seq < @before) AND (@after IS NULL OR seq > @after)
    AND (outcome <> 'started' OR NOT EXISTS(SELECT 1 FROM audit_log later
      WHERE later.request_id = audit_log.request_id AND later.seq > audit_log.seq))`;
const NEWEST_FIRST = `${WANTED} ORDER BY seq DESC LIMIT @limit`;
const OLDEST_FIRST = `${WANTED} ORDER BY seq LIMIT @limit`;
