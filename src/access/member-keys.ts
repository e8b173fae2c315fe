import type { Clock } from '../base/clock.ts';
import type { Events } from '../events/events.ts';
import type { Store } from '../store/store.ts';

type Row = { id: string; account_id: string; name: string; prefix: string; scopes: string };

/** Adjusts the keys of a member whose role changes. Every request reads its key from the database. */
export function createMemberKeys({ store, events, clock }: { store: Store; events: Events; clock: Clock }) {
  function revoke({ id, account_id: accountId, name, prefix }: Row): void {
    store.prepare('UPDATE api_keys SET revoked_at = ? WHERE id = ?').run(clock.now(), id);
    events.record('api_key.deleted', { id, name, key_prefix: prefix }, accountId);
  }

  const keysOf = (memberId: string) => store.prepare<Row>(KEYS).all(memberId);

  return {
    revokeAll(memberId: string): void {
      for (const key of keysOf(memberId)) revoke(key);
    },
    /** Limits each key to these scopes, and revokes keys that would have none left. */
    limit(memberId: string, allowed: readonly string[]): void {
      for (const key of keysOf(memberId)) {
        const left = key.scopes.split(',').filter((scope) => allowed.includes(scope));
        if (left.length === 0) revoke(key);
        else store.prepare('UPDATE api_keys SET scopes = ? WHERE id = ?').run(left.join(','), key.id);
      }
    },
  };
}

const KEYS =
  'SELECT id, account_id, name, prefix, scopes FROM api_keys WHERE member_id = ? AND revoked_at IS NULL';
