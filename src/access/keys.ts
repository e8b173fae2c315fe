import { toIso, type Clock } from '../base/clock.ts';
import { Failure } from '../base/errors.ts';
import type { Events } from '../events/events.ts';
import { newId } from '../base/ids.ts';
import { createSnapshot } from '../store/memory.ts';
import type { Store } from '../store/store.ts';
import { displayParts, fingerprint, generateKey, isWellFormed } from './key-format.ts';
import { createLastUses } from './last-uses.ts';
import type { Role } from './role.ts';
import { createSessionKeys } from './session-keys.ts';

export const ACTIVE_KEYS_MAX = 10;
const LISTED_KEYS_MAX = 100;

export type Keys = ReturnType<typeof createKeys>;

type KeyRow = {
  id: string;
  account_id: string;
  name: string;
  hash: Buffer;
  prefix: string;
  scopes: string;
  is_active: number;
  created_at: number;
  expires_at: number | null;
  revoked_at: number | null;
  last_used_at: number | null;
  is_test: number;
  member_id: string | null;
};

/** A tuple, not a record: building an object for each row takes longer than finding the row. */
type VerifiedRow = [
  id: string,
  accountId: string,
  scopes: string,
  expiresAt: number | null,
  memberId: string | null,
];

export type NewKey = {
  accountId: string;
  name: string;
  scopes: readonly string[];
  expiresAt: number | null;
  /** Whether it may request simulated failures. */
  isTest?: boolean;
  /** The member who created it. Only they and the owners of the account can see it. */
  memberId?: string | undefined;
};

export type KeyChange = { name?: string; scopes?: readonly string[]; isActive?: boolean };

export type Principal = {
  accountId: string;
  keyId: string | null;
  /** Set for dashboard sessions and their keys. */
  sessionId?: string;
  /** Set for sessions and keys of members. */
  memberId?: string;
  /** Set for sessions of members. Keys have scopes instead. */
  role?: Role;
  scopes: readonly string[];
  /** The owner of the machine, on the command line, acting for any account. */
  isRoot?: true;
};

export type NamedPrincipal = Principal & { prefix: string };

/**
 * API keys. Only hashes are stored. What a key may do is read again once any row has changed, so a revocation takes effect
 * with the next request.
 */
export function createKeys({ store, events, clock }: { store: Store; events: Events; clock: Clock }) {
  const lastUses = createLastUses({ store });
  const sessionKeys = createSessionKeys({ store, clock });
  const verifying = store.prepare<VerifiedRow>(VERIFY).raw();
  const verified = createSnapshot<VerifiedRow | undefined>(store);

  function create({ accountId, name, scopes, expiresAt, isTest = false, memberId }: NewKey) {
    const now = clock.now();
    if (expiresAt !== null && expiresAt <= now) {
      throw new Failure('invalid_value', 'expires_at must be in the future.', { param: 'expires_at' });
    }
    const key = generateKey();
    const { prefix, lastFour } = displayParts(key);
    const id = newId('key', now);
    store.transaction(() => {
      const { changes } = store.prepare(INSERT_BELOW_LIMIT).run({
        id,
        accountId,
        name,
        hash: Buffer.from(fingerprint(key), 'hex'),
        prefix,
        lastFour,
        scopes: scopes.join(','),
        now,
        expiresAt,
        isTest: Number(isTest),
        memberId: memberId ?? null,
      });
      if (changes === 0) throw keyLimitReached();
      events.record('api_key.created', { id, name, key_prefix: prefix, scopes: [...scopes] }, accountId);
    });
    return {
      id,
      name,
      key_prefix: prefix,
      scopes: [...scopes],
      expires_at: isoOrNull(expiresAt),
      created_at: toIso(now),
      ...(isTest && { is_test: true as const }),
      key,
    };
  }

  function verify(presented: string): Principal {
    if (!isWellFormed(presented)) throw invalidKey();
    const hash = fingerprint(presented);
    const row = verified.get(hash, () => verifying.get(hash));
    if (!row) return ofSession(hash);
    const [keyId, accountId, scopes, expiresAt, memberId] = row;
    const now = clock.now();
    if (expiresAt !== null && expiresAt <= now) throw expiredKey(displayParts(presented).prefix, expiresAt);
    lastUses.note(keyId, now);
    return { accountId, keyId, scopes: scopes.split(','), ...(memberId !== null && { memberId }) };
  }

  function ofSession(hash: string): Principal {
    const principal = sessionKeys.verify(hash);
    if (principal) return principal;
    throw invalidKey();
  }

  /** The newest key with this name, created if there never was one; undefined if it is no longer valid. */
  function named({ accountId, name, scopes }: Omit<NewKey, 'expiresAt'>): NamedPrincipal | undefined {
    const now = clock.now();
    const find = () => store.prepare<KeyRow>(NEWEST_NAMED).get(accountId, name);
    if (!find()) create({ accountId, name, scopes, expiresAt: null });
    const row = find();
    const isOver = row?.expires_at != null && row.expires_at <= now;
    if (!row || row.revoked_at !== null || row.is_active === 0 || isOver) return undefined;
    lastUses.note(row.id, now);
    return { accountId, keyId: row.id, scopes: row.scopes.split(','), prefix: row.prefix };
  }

  function list(accountId: string, memberId: string | null = null) {
    const rows = store.prepare<KeyRow>(LIST).all({ accountId, memberId, max: LISTED_KEYS_MAX });
    return rows.map((row) => toRecord(row, lastUses.of(row.id)));
  }

  /** Updates the given fields. Re-enabling a key counts against the limit of active keys. */
  function update(accountId: string, id: string, { name, scopes, isActive }: KeyChange): void {
    store.transaction(() => {
      const row = find(accountId, id);
      const { changes } = store.prepare(UPDATE_BELOW_LIMIT).run({
        id,
        accountId,
        name: name ?? row.name,
        scopes: scopes?.join(',') ?? row.scopes,
        isActive: Number(isActive ?? row.is_active === 1),
        now: clock.now(),
      });
      if (changes === 0) throw keyLimitReached();
    });
  }

  /** Issues a new secret for the same use; the old one expires after the grace period. */
  function rotate(accountId: string, id: string, graceMs: number) {
    return store.transaction(() => {
      const row = find(accountId, id);
      const { name, scopes, expires_at: expiresAt, is_test: isTest } = row;
      const memberId = row.member_id ?? undefined;
      const endsAt = Math.min(expiresAt ?? Infinity, clock.now() + graceMs);
      store.prepare('UPDATE api_keys SET expires_at = ? WHERE id = ?').run(endsAt, id);
      return create({
        accountId,
        name,
        scopes: scopes.split(','),
        expiresAt,
        isTest: isTest === 1,
        memberId,
      });
    });
  }

  function find(accountId: string, id: string): KeyRow {
    const row = store
      .prepare<KeyRow>('SELECT * FROM api_keys WHERE id = ? AND account_id = ? AND revoked_at IS NULL')
      .get(id, accountId);
    if (row) return row;
    throw unknownKey(id);
  }

  function revoke(accountId: string, id: string): void {
    store.transaction(() => {
      const row = find(accountId, id);
      store.prepare('UPDATE api_keys SET revoked_at = ? WHERE id = ?').run(clock.now(), id);
      events.record('api_key.deleted', { id, name: row.name, key_prefix: row.prefix }, accountId);
    });
  }

  function countActive(accountId: string): number {
    return store.prepare<{ n: number }>(COUNT_ACTIVE).get(accountId, clock.now())?.n ?? 0;
  }

  return {
    create,
    verify,
    named,
    find,
    list,
    update,
    rotate,
    revoke,
    countActive,
    issueForSession: sessionKeys.issue,
    flushLastUses: lastUses.flush,
    close: lastUses.close,
  };
}

/** Runs for nearly every request, so it selects no more than it needs. */
const VERIFY = `
  SELECT id, account_id, scopes, expires_at, member_id FROM api_keys
  WHERE hash = unhex(?) AND revoked_at IS NULL AND is_active = 1`;

const ACTIVE = 'revoked_at IS NULL AND is_active = 1 AND (expires_at IS NULL OR expires_at > ';

const INSERT_BELOW_LIMIT = `
  INSERT INTO api_keys(id, account_id, name, hash, prefix, last_four, scopes, created_at, expires_at, is_test,
    member_id)
  SELECT @id, @accountId, @name, @hash, @prefix, @lastFour, @scopes, @now, @expiresAt, @isTest, @memberId
  WHERE (SELECT count(*) FROM api_keys WHERE account_id = @accountId AND ${ACTIVE} @now)) < ${ACTIVE_KEYS_MAX}`;

const UPDATE_BELOW_LIMIT = `
  UPDATE api_keys SET name = @name, scopes = @scopes, is_active = @isActive
  WHERE id = @id AND (is_active = 1 OR @isActive = 0
    OR (SELECT count(*) FROM api_keys WHERE account_id = @accountId AND ${ACTIVE} @now)) < ${ACTIVE_KEYS_MAX})`;

const COUNT_ACTIVE = `SELECT count(*) AS n FROM api_keys WHERE account_id = ? AND ${ACTIVE} ?)`;

const NEWEST_NAMED = `
  SELECT * FROM api_keys WHERE account_id = ? AND name = ? ORDER BY created_at DESC, rowid DESC LIMIT 1`;

const LIST = `
  SELECT * FROM api_keys
  WHERE account_id = @accountId AND revoked_at IS NULL AND (@memberId IS NULL OR member_id = @memberId)
  ORDER BY created_at DESC, rowid DESC LIMIT @max`;

function toRecord(row: KeyRow, lastUse: number | undefined) {
  return {
    id: row.id,
    name: row.name,
    key_prefix: row.prefix,
    scopes: row.scopes.split(','),
    last_used_at: isoOrNull(lastUse ?? row.last_used_at),
    expires_at: isoOrNull(row.expires_at),
    is_active: row.is_active === 1,
    created_at: toIso(row.created_at),
    ...(row.is_test === 1 && { is_test: true as const }),
  };
}

function isoOrNull(epochMs: number | null): string | null {
  return epochMs === null ? null : toIso(epochMs);
}

export function unknownKey(id: string): Failure {
  return new Failure('not_found', `There is no API key "${id}". List them: askd keys list`, { param: 'id' });
}

/** One message for every kind of wrong key, never with the key itself. */
export function invalidKey(): Failure {
  return new Failure('invalid_api_key', 'The API key is not valid. Create one: askd keys create --name NAME');
}

export function expiredKey(prefix: string, expiresAt: number): Failure {
  return new Failure(
    'expired_api_key',
    `The API key ${prefix}… expired at ${toIso(expiresAt)}. Create another: askd keys create --name NAME`,
  );
}

function keyLimitReached(): Failure {
  return new Failure(
    'key_limit_reached',
    `An account has at most ${ACTIVE_KEYS_MAX} active API keys. Revoke one: askd keys revoke ID`,
  );
}
