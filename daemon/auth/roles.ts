import type { Principal } from '../../src/access/keys.ts';
import type { Role } from '../../src/access/role.ts';
import type { Endpoint } from '../../src/api/endpoint.ts';
import { Failure } from '../../src/base/errors.ts';
import { ACCOUNT_ID } from './account.ts';

const OWNER: readonly Role[] = ['owner'];
/** Routes that show or create content. */
const USERS: readonly Role[] = ['owner', 'member'];
const PAYERS: readonly Role[] = ['owner', 'billing'];
const ALL: readonly Role[] = ['owner', 'member', 'billing'];

/**
 * The management routes that members may use, by role. All others concern the machine, its models and settings, and
 * are only for the owner of the daemon.
 */
export const ROLES: Readonly<Record<string, readonly Role[]>> = {
  'GET /api/keys': USERS,
  'POST /api/keys': USERS,
  'PATCH /api/keys/{id}': USERS,
  'DELETE /api/keys/{id}': USERS,
  'POST /api/keys/{id}/rotate': USERS,
  'GET /api/keys/{id}/simulations': OWNER,
  'POST /api/keys/{id}/simulations': OWNER,
  'DELETE /api/keys/{id}/simulations/{simulation_id}': OWNER,
  'GET /api/sessions': ALL,
  'DELETE /api/sessions': ALL,
  'DELETE /api/sessions/{id}': ALL,
  'GET /api/sessions/current': ALL,
  'GET /api/account/members': OWNER,
  'POST /api/account/members': OWNER,
  'PATCH /api/account/members/{name}': OWNER,
  'DELETE /api/account/members/{name}': OWNER,
  'POST /api/account/members/{name}/login-link': OWNER,
  'POST /api/sessions/current/key': USERS,
  'GET /api/account/limits': ALL,
  'GET /api/account/tier': ALL,
  'GET /api/usage': PAYERS,
  'GET /api/usage/requests/{id}': ALL,
  'GET /api/wallet': PAYERS,
  'GET /api/wallet/history': PAYERS,
  'GET /api/wallet/transactions': PAYERS,
  'GET /api/wallet/export': PAYERS,
  'GET /api/wallet/settings': PAYERS,
  'PUT /api/wallet/settings': PAYERS,
  'POST /api/wallet/top-up': PAYERS,
  'GET /api/webhooks': OWNER,
  'POST /api/webhooks': OWNER,
  'GET /api/webhooks/{id}': OWNER,
  'PATCH /api/webhooks/{id}': OWNER,
  'DELETE /api/webhooks/{id}': OWNER,
  'POST /api/webhooks/{id}/test': OWNER,
  'POST /api/webhooks/{id}/replay': OWNER,
  'POST /api/webhooks/{id}/rotate-secret': OWNER,
  'GET /api/webhooks/{id}/deliveries': OWNER,
  'GET /api/webhooks/{id}/deliveries/{event_id}': OWNER,
  'POST /api/webhooks/{id}/deliveries/{event_id}/resend': OWNER,
  'GET /api/daemon/chats': USERS,
  'POST /api/daemon/chats': USERS,
  'POST /api/daemon/chats/search': USERS,
  'GET /api/daemon/chats/{chat}': USERS,
  'PATCH /api/daemon/chats/{chat}': USERS,
  'DELETE /api/daemon/chats/{chat}': USERS,
  'PUT /api/daemon/chats/{chat}/messages': USERS,
  'GET /api/batches': OWNER,
  'GET /api/batches/{id}/failures': OWNER,
  'GET /api/batches/{id}/results': OWNER,
  'POST /api/batches/{id}/cancel': OWNER,
};

/** Routes that need only a scope but show data of the whole machine. */
const OF_THE_MACHINE: readonly string[] = ['GET /metrics'];
const BY_SCOPE: readonly string[] = ['chat', 'read', 'write', 'admin'];

/** Whether it may use what belongs to the machine, such as its documents. */
export function ownsMachine({ accountId, scopes }: Principal): boolean {
  return accountId === ACCOUNT_ID && scopes.includes('admin');
}

/** The member whose data a session is limited to; undefined if it may use the data of the whole account. */
export function ownOnly({ memberId, role }: Principal): string | undefined {
  return role === 'owner' ? undefined : memberId;
}

/** Refuses routes that a role does not allow, and routes of the machine to other accounts. */
export function requireRole(principal: Principal, endpoint: Endpoint): Principal {
  if (!opens(principal, endpoint)) throw roleNotAllowed(principal, endpoint);
  return principal;
}

function opens({ accountId, isRoot, role = 'owner' }: Principal, endpoint: Endpoint): boolean {
  if (isRoot === true || endpoint.access === 'public') return true;
  if (accountId === ACCOUNT_ID && role === 'owner') return true;
  const name = nameOf(endpoint);
  if (BY_SCOPE.includes(endpoint.access)) return accountId === ACCOUNT_ID || !OF_THE_MACHINE.includes(name);
  return ROLES[name]?.includes(role) ?? false;
}

const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`;

function roleNotAllowed({ role = 'owner' }: Principal, endpoint: Endpoint): Failure {
  const isOfAccount = nameOf(endpoint) in ROLES;
  return new Failure(
    'role_not_allowed',
    isOfAccount
      ? `Your role in this account, ${role}, does not allow this.`
      : 'Only the owner of this server can do this, on the command line.',
  );
}
