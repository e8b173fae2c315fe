import {
  addMember,
  createLoginLink,
  getCurrentSession,
  listMembers,
  removeMember,
  updateMember,
  type MemberRecord,
} from '../../../src/api/account/members.ts';
import { playgroundOf } from '../../../src/access/session-keys.ts';
import type { Member } from '../../../src/access/members.ts';
import { toIso } from '../../../src/base/clock.ts';
import type { Services } from '../../compose.ts';
import type { RegisterRoute } from '../../http/register-route.ts';
import { loginUrl } from './sessions.ts';

/** A link is sent to somebody who may not read it at once. */
const LINK_LIFETIME_MS = 24 * 3_600_000;

export function registerMembers(register: RegisterRoute, services: Services): void {
  const { store, accounts, members, batches, loginCodes, boot } = services;

  register(listMembers, ({ principal }) => ({ members: members.list(principal.accountId).map(toRecord) }));

  register(addMember, ({ body, principal }) => toRecord(members.add(principal.accountId, body)));

  register(updateMember, ({ body, params: { name = '' }, principal }) =>
    toRecord(members.changeRole(principal.accountId, name, body.role)),
  );

  register(removeMember, ({ params: { name = '' }, principal }) => {
    const { accountId } = principal;
    const { id } = members.find(accountId, name);
    store.transaction(() => {
      members.remove(accountId, name);
      batches.cancelAllOf({ accountId, keyId: playgroundOf(id) });
    });
    return { success: true as const };
  });

  register(createLoginLink, ({ params: { name = '' }, principal: { accountId }, reply }) => {
    const memberId = members.find(accountId, name).id;
    const { code, expiresAt } = loginCodes.issue({ accountId, memberId }, LINK_LIFETIME_MS);
    void reply.header('cache-control', 'no-store');
    return { login_url: loginUrl(boot, code), expires_at: toIso(expiresAt) };
  });

  register(getCurrentSession, ({ principal: { accountId, memberId, role = 'owner' } }) => ({
    account: accounts.nameOf(accountId),
    member: members.list(accountId).find(({ id }) => id === memberId)?.name ?? null,
    role,
  }));
}

function toRecord({ createdAt, ...member }: Member): MemberRecord {
  return { ...member, created_at: createdAt };
}
