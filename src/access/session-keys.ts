import type { Clock } from '../base/clock.ts';
import { Failure } from '../base/errors.ts';
import type { Store } from '../store/store.ts';
import { fingerprint, generateKey } from './key-format.ts';
import { LIVE_SESSION, sessionBounds } from './sessions.ts';

/** The id under which the usage of all these keys is recorded, and which owns what they create. */
const PLAYGROUND_ID = 'playground';
export const PLAYGROUND_SCOPES: readonly string[] = ['chat', 'read'];
/** What a member creates in the playground is hidden from other members. */
export const playgroundOf = (memberId: string | null) =>
  memberId === null ? PLAYGROUND_ID : `${PLAYGROUND_ID}_${memberId}`;
export const isPlayground = (keyId: string) =>
  keyId === PLAYGROUND_ID || keyId.startsWith(`${PLAYGROUND_ID}_`);
const LIFETIME_MS = 15 * 60_000;
/** Each page of a session has its own; asking for more drops the session's oldest key. */
const KEYS_PER_SESSION_MAX = 32;

export type NewSessionKey = { key: string; scopes: string[]; createdAt: number; expiresAt: number };

type FoundRow = { account_id: string; member_id: string | null; session_id: string; expires_at: number };

/**
 * Keys for the playground. A session cookie never allows inference, so the page gets a key that ends with the
 * session. Earlier keys stay valid, so a page can switch to a new one while its requests are running.
 */
export function createSessionKeys({ store, clock }: { store: Store; clock: Clock }) {
  const finding = store.prepare<FoundRow>(FIND);

  function issue(sessionId: string): NewSessionKey {
    const key = generateKey();
    const now = clock.now();
    const expiresAt = store.transaction(() => {
      store.prepare('DELETE FROM session_keys WHERE expires_at <= ?').run(now);
      store.prepare(DELETE_OLDEST).run({ sessionId, kept: KEYS_PER_SESSION_MAX - 1 });
      const wanted = {
        hash: fingerprint(key),
        sessionId,
        expiresAt: now + LIFETIME_MS,
        ...sessionBounds(now),
      };
      return store.prepare<{ expires_at: number }>(INSERT).get(wanted)?.expires_at;
    });
    if (expiresAt === undefined) throw sessionEnded();
    return { key, scopes: [...PLAYGROUND_SCOPES], createdAt: now, expiresAt };
  }

  /** Undefined for any other key, or if its session has ended. */
  function verify(hash: string) {
    const now = clock.now();
    const row = finding.get({ hash, ...sessionBounds(now) });
    if (row === undefined) return undefined;
    if (row.expires_at <= now) throw keyExpired();
    const { account_id: accountId, member_id: memberId, session_id: sessionId } = row;
    const member = memberId === null ? {} : { memberId };
    return { accountId, keyId: playgroundOf(memberId), sessionId, scopes: PLAYGROUND_SCOPES, ...member };
  }

  return { issue, verify };
}

const FIND = `
  SELECT sessions.account_id, member_id, session_id, session_keys.expires_at FROM session_keys
  JOIN sessions ON sessions.id = session_id LEFT JOIN members ON members.id = member_id
  WHERE session_keys.hash = unhex(@hash) AND ${LIVE_SESSION}
    AND (member_id IS NULL OR role IN ('owner', 'member'))`;

const INSERT = `
  INSERT INTO session_keys(hash, session_id, expires_at)
  SELECT unhex(@hash), id, min(@expiresAt, expires_at) FROM sessions WHERE id = @sessionId AND ${LIVE_SESSION}
  RETURNING expires_at`;

const DELETE_OLDEST = `
  DELETE FROM session_keys WHERE session_id = @sessionId AND hash NOT IN (
    SELECT hash FROM session_keys WHERE session_id = @sessionId ORDER BY expires_at DESC, hash LIMIT @kept)`;

function sessionEnded(): Failure {
  return new Failure(
    'not_authenticated',
    'The dashboard session has expired. Open a new one: askd dashboard',
  );
}

function keyExpired(): Failure {
  return new Failure(
    'expired_api_key',
    'This playground key has expired. Create another: POST /api/sessions/current/key',
  );
}
