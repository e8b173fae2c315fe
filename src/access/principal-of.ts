import type { Clock } from '../base/clock.ts';
import type { Store } from '../store/store.ts';
import { expiredKey, invalidKey, type Principal } from './keys.ts';
import { isPlayground, PLAYGROUND_SCOPES } from './session-keys.ts';

type Row = { prefix: string; scopes: string; is_active: number; expires_at: number | null };

export type PrincipalOf = ReturnType<typeof createPrincipalOf>;

/** What a key may do now, by its id, for work that outlives its request. Without a key, the work is the owner's. */
export function createPrincipalOf({ store, clock }: { store: Store; clock: Clock }) {
  return (accountId: string, keyId: string | null): Principal => {
    if (keyId === null) return { accountId, keyId, scopes: ['admin'] };
    if (isPlayground(keyId)) return { accountId, keyId, scopes: PLAYGROUND_SCOPES };
    const row = store.prepare<Row>(FIND).get(keyId, accountId);
    if (!row || row.is_active === 0) throw invalidKey();
    const { prefix, scopes, expires_at: expiresAt } = row;
    if (expiresAt !== null && expiresAt <= clock.now()) throw expiredKey(prefix, expiresAt);
    return { accountId, keyId, scopes: scopes.split(',') };
  };
}

const FIND = `
  SELECT prefix, scopes, is_active, expires_at FROM api_keys WHERE id = ? AND account_id = ? AND revoked_at IS NULL`;
