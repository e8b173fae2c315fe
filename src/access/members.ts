import { toIso, type Clock } from '../base/clock.ts';
import { Failure } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import type { Events } from '../events/events.ts';
import type { Store } from '../store/store.ts';
import { DEFAULT_ACCOUNT } from './accounts.ts';
import { createMemberKeys } from './member-keys.ts';
import type { Role } from './role.ts';
import type { Sessions } from './sessions.ts';

/** The scopes that the keys of a member can have. */
export const MEMBER_SCOPES: readonly string[] = ['chat', 'read'];

export type Member = { id: string; name: string; email: string | null; role: Role; createdAt: string };

export type NewMember = { name: string; email?: string; role: Role };

export type Members = ReturnType<typeof createMembers>;

type Row = { id: string; name: string; email: string | null; role: Role; created_at: number };

type Found = { accountId: string; memberId: string; account: string; name: string };

type Parts = {
  store: Store;
  events: Events;
  clock: Clock;
  sessions: Pick<Sessions, 'revokeAll'>;
};

/** The people of an account and what each may do there. */
export function createMembers({ store, events, clock, sessions }: Parts) {
  const keys = createMemberKeys({ store, events, clock });

  function add(accountId: string, { name, email, role }: NewMember): Member {
    const now = clock.now();
    const row = { id: newId('mem', now), accountId, name, email: email ?? null, role, now };
    const { changes } = store.prepare(INSERT).run(row);
    if (changes === 0)
      throw new Failure(
        'already_exists',
        `A member "${name}" already exists. List them: askd account members`,
        { param: 'name' },
      );
    return find(accountId, name);
  }

  function find(accountId: string, name: string): Member {
    const row = store.prepare<Row>(BY_NAME).get(accountId, name);
    if (row) return toMember(row);
    throw new Failure('not_found', `There is no member "${name}". List them: askd account members`, {
      param: 'name',
    });
  }

  /** The oldest membership with this address, so that adding people to another account cannot redirect their logins. */
  function ofEmail(email: string, accountName?: string) {
    return store.prepare<Found>(BY_EMAIL).get({ email, accountName: accountName ?? null });
  }

  /**
   * Links a member to the provider's subject at their first login. Later returns false for any other subject, since a
   * provider may give the address to somebody else.
   */
  function linkSubject(memberId: string, { issuer, subject }: { issuer: string; subject: string }): boolean {
    return store.prepare(LINK_SUBJECT).run({ memberId, issuer, subject }).changes > 0;
  }

  /** Keys lose the scopes that the new role does not allow, or are revoked. Sessions get the new role at once. */
  function changeRole(accountId: string, name: string, role: Role): Member {
    return store.transaction(() => {
      const { id } = find(accountId, name);
      const { changes } = store.prepare(CHANGE_ROLE).run({ id, accountId, role });
      if (changes === 0) throw lastOwner(name);
      if (role === 'billing') keys.revokeAll(id);
      if (role === 'member') keys.limit(id, MEMBER_SCOPES);
      return find(accountId, name);
    });
  }

  /** Ends the sessions of a member and revokes their keys. */
  function remove(accountId: string, name: string): void {
    store.transaction(() => {
      const { id } = find(accountId, name);
      const { changes } = store.prepare(DELETE).run({ id, accountId });
      if (changes === 0) throw lastOwner(name);
      keys.revokeAll(id);
      sessions.revokeAll(accountId, id);
    });
  }

  return {
    add,
    find,
    ofEmail,
    linkSubject,
    isThere: (memberId: string): boolean =>
      store.prepare('SELECT 1 FROM members WHERE id = ?').get(memberId) !== undefined,
    changeRole,
    remove,
    list: (accountId: string): Member[] => store.prepare<Row>(LIST).all(accountId).map(toMember),
  };
}

const INSERT = `
  INSERT INTO members(id, account_id, name, email, role, created_at)
  VALUES(@id, @accountId, @name, @email, @role, @now) ON CONFLICT DO NOTHING`;

const MEMBER = 'SELECT id, name, email, role, created_at FROM members WHERE account_id = ?';
const BY_NAME = `${MEMBER} AND name = ?`;
const LIST = `${MEMBER} ORDER BY name`;

/** SQLite's lower() ignores the case of ASCII letters only. */
const BY_EMAIL = `
  SELECT members.account_id AS accountId, members.id AS memberId, members.name AS name,
    coalesce(accounts.name, '${DEFAULT_ACCOUNT}') AS account
  FROM members JOIN accounts ON accounts.id = members.account_id
  WHERE lower(email) = lower(@email) AND (@accountName IS NULL OR account = @accountName)
  ORDER BY members.created_at, members.rowid LIMIT 1`;

/** A new issuer links members again: subjects are unique only per issuer, and the server's owner chose to trust it. */
const LINK_SUBJECT = `
  UPDATE members SET login_issuer = @issuer, login_subject = @subject
  WHERE id = @memberId AND (login_issuer IS NOT @issuer OR login_subject = @subject)`;

/** The last owner of an account cannot be removed or given another role. */
const OTHER_OWNER = `
  EXISTS (SELECT 1 FROM members other WHERE other.account_id = @accountId AND other.role = 'owner' AND other.id <> @id)`;

const CHANGE_ROLE = `
  UPDATE members SET role = @role WHERE id = @id AND (role <> 'owner' OR @role = 'owner' OR ${OTHER_OWNER})`;

const DELETE = `DELETE FROM members WHERE id = @id AND (role <> 'owner' OR ${OTHER_OWNER})`;

function toMember({ id, name, email, role, created_at: createdAt }: Row): Member {
  return { id, name, email, role, createdAt: toIso(createdAt) };
}

function lastOwner(name: string): Failure {
  return new Failure(
    'last_owner',
    `${name} is the last owner of the account. Make another member an owner first: askd account role NAME owner`,
  );
}
