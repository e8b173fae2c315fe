import { toIso, type Clock } from '../base/clock.ts';
import { Failure } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import { createMemory } from '../store/memory.ts';
import type { Store } from '../store/store.ts';

/** The name of the machine owner's account, the only one without a name in the database. */
export const DEFAULT_ACCOUNT = 'default';

export type Account = {
  id: string;
  name: string;
  tier: string;
  createdAt: string;
  suspendedAt: string | null;
};

export type Accounts = ReturnType<typeof createAccounts>;

type Row = {
  id: string;
  name: string | null;
  tier: string;
  created_at: number;
  suspended_at: number | null;
};

type Parts = {
  store: Store;
  clock: Clock;
  /** Gives a new account its tier and wallet, in the transaction that creates it. */
  equip: (accountId: string) => void;
};

/** The accounts of this daemon: the machine owner's, and those created for other people. */
export function createAccounts({ store, clock, equip }: Parts) {
  const suspensions = createMemory<boolean>(store);

  function create(name: string): Account {
    return store.transaction(() => {
      const now = clock.now();
      const id = newId('acct', now);
      if (name === DEFAULT_ACCOUNT || store.prepare(BY_NAME).get(name)) throw taken(name);
      equip(id);
      store.prepare('UPDATE accounts SET name = ? WHERE id = ?').run(name, id);
      return find(name);
    });
  }

  function find(name: string): Account {
    const row =
      name === DEFAULT_ACCOUNT ? store.prepare<Row>(UNNAMED).get() : store.prepare<Row>(BY_NAME).get(name);
    if (row) return toAccount(row);
    throw new Failure('not_found', `There is no account "${name}". List them: askd account list`, {
      param: 'account',
    });
  }

  /** Suspending twice changes nothing: the first suspension time stays. */
  function suspend(name: string): Account {
    const { id } = find(name);
    if (name === DEFAULT_ACCOUNT)
      throw new Failure('invalid_value', 'The account of the owner of this server cannot be suspended.');
    store.prepare(SUSPEND).run(clock.now(), id);
    suspensions.forget();
    return find(name);
  }

  function resume(name: string): Account {
    store.prepare('UPDATE accounts SET suspended_at = NULL WHERE id = ?').run(find(name).id);
    suspensions.forget();
    return find(name);
  }

  /** Runs for every request. */
  function refuseSuspended(accountId: string): void {
    const isSuspended = suspensions.get(
      accountId,
      () =>
        store.prepare('SELECT 1 FROM accounts WHERE id = ? AND suspended_at IS NOT NULL').get(accountId) !==
        undefined,
    );
    if (!isSuspended) return;
    throw new Failure(
      'account_suspended',
      'This account is suspended. The owner of this server can resume it: askd account resume NAME',
    );
  }

  return {
    create,
    find,
    nameOf: (id: string): string =>
      store.prepare<Pick<Row, 'name'>>('SELECT name FROM accounts WHERE id = ?').get(id)?.name ??
      DEFAULT_ACCOUNT,
    list: (): Account[] => store.prepare<Row>(LIST).all().map(toAccount),
    suspend,
    resume,
    refuseSuspended,
  };
}

const ACCOUNT = 'SELECT id, name, tier, created_at, suspended_at FROM accounts';
const UNNAMED = `${ACCOUNT} WHERE name IS NULL`;
const BY_NAME = `${ACCOUNT} WHERE name = ?`;
const LIST = `${ACCOUNT} ORDER BY name IS NOT NULL, name`;
const SUSPEND = 'UPDATE accounts SET suspended_at = ? WHERE id = ? AND suspended_at IS NULL';

function toAccount({ id, name, tier, created_at: createdAt, suspended_at: suspendedAt }: Row): Account {
  return {
    id,
    name: name ?? DEFAULT_ACCOUNT,
    tier,
    createdAt: toIso(createdAt),
    suspendedAt: suspendedAt === null ? null : toIso(suspendedAt),
  };
}

function taken(name: string): Failure {
  return new Failure('already_exists', `An account "${name}" already exists. List them: askd account list`, {
    param: 'name',
  });
}
