import { createHash, randomBytes } from 'node:crypto';
import { toIso, type Clock } from '../base/clock.ts';
import { Failure } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import { redactSecrets } from '../base/secrets.ts';
import type { Store } from '../store/store.ts';
import type { Role } from './role.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
export const SESSION_IDLE_MS_MAX = 7 * DAY_MS;
export const SESSION_AGE_MS_MAX = 30 * DAY_MS;
/** The last use is written at most this often, so that a page with many requests costs one write. */
const SEEN_EVERY_MS = 60_000;
const LISTED_MAX = 100;
const USER_AGENT_LENGTH_MAX = 200;
const SHAPE = /^asksess_[0-9A-Za-z_-]{43}$/;

/**
 * Browser sessions are opened by the login page, script sessions by the command line for programs without a browser.
 */
export type SessionKind = 'browser' | 'script';
/** Without a member, it belongs to the owner of the machine. */
export type Session = {
  id: string;
  accountId: string;
  kind: SessionKind;
  member?: { id: string; role: Role };
};
export type NewSession = {
  accountId: string;
  memberId?: string | undefined;
  kind: SessionKind;
  userAgent?: string | undefined;
};
export type Sessions = ReturnType<typeof createSessions>;

type SessionRow = {
  id: string;
  account_id: string;
  member_id: string | null;
  role: Role | null;
  kind: SessionKind;
  user_agent: string | null;
  created_at: number;
  last_seen_at: number;
  expires_at: number;
};

/** Dashboard sessions. Only hashes are stored. Deleting the row ends a session with the next request. */
export function createSessions({ store, clock }: { store: Store; clock: Clock }) {
  const endings = new Map<string, AbortController>();

  /** Aborts when the session is revoked, so that a stream that it opened ends with it. */
  function ending(id: string): AbortSignal {
    const known = endings.get(id) ?? new AbortController();
    endings.set(id, known);
    return known.signal;
  }

  function end(id: string): void {
    endings.get(id)?.abort(new Failure('not_authenticated', 'The session was signed out.'));
    endings.delete(id);
  }

  function open({ accountId, memberId, kind, userAgent }: NewSession) {
    const token = `asksess_${randomBytes(32).toString('base64url')}`;
    const now = clock.now();
    const id = newId('sess', now);
    const expiresAt = now + SESSION_AGE_MS_MAX;
    store.transaction(() => {
      store.prepare(DELETE_ENDED).run(sessionBounds(now));
      store.prepare(INSERT).run({
        id,
        accountId,
        memberId: memberId ?? null,
        hash: hashToken(token),
        kind,
        userAgent: userAgent === undefined ? null : redactSecrets(userAgent).slice(0, USER_AGENT_LENGTH_MAX),
        now,
        expiresAt,
      });
    });
    return { id, token, expiresAt: Math.min(expiresAt, now + SESSION_IDLE_MS_MAX) };
  }

  /** Undefined for a token that is malformed, unknown, revoked or expired; the caller cannot tell which. */
  function verify(token: string): Session | undefined {
    if (!SHAPE.test(token)) return undefined;
    const now = clock.now();
    const row = store.prepare<SessionRow>(FIND).get({ hash: hashToken(token), ...sessionBounds(now) });
    if (row === undefined) return undefined;
    if (now - row.last_seen_at >= SEEN_EVERY_MS) store.prepare(SEEN).run(now, row.id);
    const { id, account_id: accountId, kind, member_id: memberId, role } = row;
    return { id, accountId, kind, ...(memberId !== null && role && { member: { id: memberId, role } }) };
  }

  /** Here and below, `memberId` limits the query to the sessions of that member. */
  function list(accountId: string, memberId?: string) {
    const rows = store
      .prepare<SessionRow>(LIST)
      .all({ accountId, memberId: memberId ?? null, ...sessionBounds(clock.now()), max: LISTED_MAX });
    return rows.map(toRecord);
  }

  function revoke(accountId: string, id: string, memberId?: string): void {
    const { changes } = store
      .prepare(`DELETE FROM sessions WHERE id = @id AND ${OF}`)
      .run({ id, accountId, memberId: memberId ?? null });
    if (changes > 0) return end(id);
    throw new Failure('not_found', `There is no session "${id}". List them: askd session list`, {
      param: 'id',
    });
  }

  /** Returns the number of sessions revoked. */
  function revokeAll(accountId: string, memberId?: string): number {
    const revoked = store
      .prepare<{ id: string }>(`DELETE FROM sessions WHERE ${OF} RETURNING id`)
      .all({ accountId, memberId: memberId ?? null });
    for (const { id } of revoked) end(id);
    return revoked.length;
  }

  return { open, verify, list, revoke, revokeAll, ending };
}

/** With the parameters of `sessionBounds`. */
export const LIVE_SESSION = 'sessions.expires_at > @now AND sessions.last_seen_at > @idleSince';

const OF = 'account_id = @accountId AND (@memberId IS NULL OR member_id = @memberId)';

const FIND = `
  SELECT sessions.*, members.role FROM sessions LEFT JOIN members ON members.id = member_id
  WHERE hash = @hash AND ${LIVE_SESSION} AND (member_id IS NULL OR role IS NOT NULL)`;

const LIST = `
  SELECT * FROM sessions WHERE ${OF} AND ${LIVE_SESSION}
  ORDER BY created_at DESC, rowid DESC LIMIT @max`;

const SEEN = 'UPDATE sessions SET last_seen_at = max(last_seen_at, ?) WHERE id = ?';

const DELETE_ENDED = `DELETE FROM sessions WHERE NOT (${LIVE_SESSION})`;

const INSERT = `
  INSERT INTO sessions(id, account_id, member_id, hash, kind, user_agent, created_at, last_seen_at, expires_at)
  VALUES(@id, @accountId, @memberId, @hash, @kind, @userAgent, @now, @now, @expiresAt)`;

export function sessionBounds(now: number) {
  return { now, idleSince: now - SESSION_IDLE_MS_MAX };
}

function hashToken(token: string): Buffer {
  return createHash('sha256').update(token, 'utf8').digest();
}

function toRecord(row: SessionRow) {
  return {
    id: row.id,
    kind: row.kind,
    user_agent: row.user_agent,
    created_at: toIso(row.created_at),
    last_seen_at: toIso(row.last_seen_at),
    expires_at: toIso(Math.min(row.expires_at, row.last_seen_at + SESSION_IDLE_MS_MAX)),
  };
}
