import type { Principal } from '../../src/access/keys.ts';
import type { Actor } from '../../src/events/audit/audit-log.ts';
import type { Services } from '../compose.ts';

export const NOBODY: Actor = { kind: 'nobody' };

/** Who acts, with a name that people still recognise when the key or the session is gone. */
export function actorOf(
  { keys, members, sessions }: Pick<Services, 'keys' | 'members' | 'sessions'>,
  principal: Principal,
): Actor {
  const { accountId, keyId, sessionId, memberId, scopes } = principal;
  if (sessionId !== undefined) {
    const session = sessions.list(accountId).find(({ id }) => id === sessionId);
    const member = members.list(accountId).find(({ id }) => id === memberId);
    const name = member?.name ?? session?.user_agent ?? session?.kind ?? null;
    return { kind: 'session', id: sessionId, name };
  }
  if (keyId !== null) {
    const key = keys.list(accountId).find(({ id }) => id === keyId);
    return { kind: 'api_key', id: keyId, name: key?.key_prefix ?? null };
  }
  return scopes.length === 0 ? NOBODY : { kind: 'root_token' };
}
