import { ENDPOINTS } from '../../src/api/endpoints.ts';
import type { Endpoint } from '../../src/api/endpoint.ts';
import type { StateName } from './states.ts';

export type Action = {
  /** The kind of thing, and what happens to it. */
  name: string;
  /** The field of the path or the body that names it; without one, the `id` in the response. */
  object?: string;
  /** The state that is compared before and after. */
  state?: StateName;
  /**
   * Fields of the body that describe the request. Never text written by a person, nor anything that may hold a
   * secret.
   */
  fields?: readonly string[];
};

/** Management routes are recorded unless they are listed here: these change nothing, or only what a person wrote. */
export const NOT_RECORDED: readonly string[] = [
  'POST /api/daemon/docs/search',
  'POST /api/daemon/chats',
  'POST /api/daemon/chats/search',
  'PATCH /api/daemon/chats/{chat}',
  'PUT /api/daemon/chats/{chat}/messages',
  'DELETE /api/daemon/chats/{chat}',
  'POST /api/daemon/mcp/{name}/test',
  'POST /api/daemon/mcp/{name}/call',
  'POST /api/daemon/estimate',
  'POST /api/daemon/check',
  'POST /api/daemon/recommend',
  'POST /api/daemon/search',
  'POST /api/daemon/examine',
  'POST /api/create',
  'POST /api/push',
  'POST /api/blobs/{digest}',
];

const model = { object: 'model' };
const server = { object: 'name', state: 'mcp_server' } as const;
const budget = ['name', 'scopes', 'expires_at', 'test', 'credits_per_month', 'tokens_per_month', 'rpm'];

/** The name of each action, and what is recorded about it. */
export const ACTIONS: Readonly<Record<string, Action>> = {
  'POST /api/keys': { name: 'api_key.create', state: 'api_key', fields: budget },
  'PATCH /api/keys/{id}': { name: 'api_key.update', object: 'id', state: 'api_key' },
  'POST /api/keys/{id}/rotate': {
    ...{ name: 'api_key.rotate', object: 'id', state: 'api_key', fields: ['grace_seconds'] },
  },
  'DELETE /api/keys/{id}': { name: 'api_key.revoke', object: 'id', state: 'api_key' },
  'POST /api/keys/{id}/simulations': { name: 'simulation.create', object: 'id', state: 'simulations' },
  'DELETE /api/keys/{id}/simulations/{simulation_id}': {
    ...{ name: 'simulation.delete', object: 'id', state: 'simulations' },
  },
  'POST /api/login-codes': { name: 'login_code.create' },
  'POST /api/login': { name: 'session.login' },
  'POST /api/sessions/current/key': { name: 'playground_key.create' },
  'POST /api/sessions': { name: 'session.create', state: 'session' },
  'DELETE /api/sessions/{id}': { name: 'session.revoke', object: 'id', state: 'session' },
  'DELETE /api/sessions': { name: 'session.revoke_all' },
  'POST /api/root-token/rotate': { name: 'root_token.rotate' },
  'POST /v1/wallet/top-up': { name: 'top_up.open', fields: ['amount'] },
  'POST /api/wallet/top-up': { name: 'top_up.open', fields: ['amount'] },
  'PUT /api/wallet/settings': { name: 'wallet_settings.update', state: 'wallet_settings' },
  'PUT /api/account/tier': { name: 'account.set_tier', state: 'tier' },
  'PUT /api/account/profile': { name: 'account.set_profile', state: 'tier' },
  'POST /api/accounts': { name: 'account.create', object: 'name', state: 'account' },
  'POST /api/accounts/{name}/suspend': { name: 'account.suspend', object: 'name', state: 'account' },
  'POST /api/accounts/{name}/resume': { name: 'account.resume', object: 'name', state: 'account' },
  'POST /api/account/members': { name: 'member.add', object: 'name', state: 'member' },
  'PATCH /api/account/members/{name}': { name: 'member.set_role', object: 'name', state: 'member' },
  'DELETE /api/account/members/{name}': { name: 'member.remove', object: 'name', state: 'member' },
  'POST /api/account/members/{name}/login-link': { name: 'member.create_login_link', object: 'name' },
  'POST /api/webhooks': { name: 'webhook.create', state: 'webhook', fields: ['name', 'events'] },
  'PATCH /api/webhooks/{id}': { name: 'webhook.update', object: 'id', state: 'webhook' },
  'DELETE /api/webhooks/{id}': { name: 'webhook.delete', object: 'id', state: 'webhook' },
  'POST /api/webhooks/{id}/rotate-secret': { name: 'webhook.rotate_secret', object: 'id' },
  'POST /api/webhooks/{id}/test': { name: 'webhook.test', object: 'id' },
  'POST /api/webhooks/{id}/deliveries/{event_id}/resend': { name: 'webhook.resend', object: 'id' },
  'POST /api/webhooks/{id}/replay': { name: 'webhook.replay', object: 'id', fields: ['since'] },
  'POST /api/daemon/webhooks/listen': { name: 'webhook.listen', fields: ['port', 'events'] },
  'POST /api/daemon/webhooks/trigger': { name: 'webhook.trigger', object: 'type' },
  'PUT /api/settings/{name}': { name: 'setting.update', object: 'name', state: 'setting' },
  'DELETE /api/settings/{name}': { name: 'setting.reset', object: 'name', state: 'setting' },
  'POST /api/daemon/docs': { name: 'documents.add', object: 'name' },
  'POST /api/daemon/docs/files': { name: 'documents.add', object: 'name' },
  'DELETE /api/daemon/docs/{name}': { name: 'documents.delete', object: 'name' },
  'POST /api/daemon/mcp': { name: 'mcp_server.create', ...server },
  'POST /api/daemon/mcp/{name}/allow': { name: 'mcp_server.allow', ...server },
  'POST /api/daemon/mcp/{name}/login': { name: 'mcp_server.begin_login', object: 'name' },
  'POST /api/daemon/mcp/{name}/login/finish': { name: 'mcp_server.login', ...server },
  'DELETE /api/daemon/mcp/{name}/login': { name: 'mcp_server.logout', ...server },
  'DELETE /api/daemon/mcp/{name}': { name: 'mcp_server.delete', ...server },
  'POST /api/daemon/load': { name: 'model.load', ...model, fields: ['pin', 'keep_alive'] },
  'POST /api/daemon/stop': { name: 'model.unload', ...model },
  'POST /api/daemon/place': { name: 'model.place', ...model, state: 'model' },
  'POST /api/daemon/upstreams': {
    ...{ name: 'model.add_upstream', object: 'id', state: 'model' },
    fields: ['base_urls', 'model', 'tasks'],
  },
  'POST /api/daemon/import': { name: 'model.import', object: 'id', state: 'model', fields: ['path', 'mode'] },
  'POST /api/daemon/adopt': { name: 'model.adopt', fields: ['models'] },
  'POST /api/daemon/remove': { name: 'model.delete', ...model, state: 'model' },
  'POST /api/daemon/aliases': { name: 'model.alias', object: 'alias', fields: ['model'] },
  'POST /api/daemon/bind': { name: 'model.bind', object: 'service', state: 'binding' },
  'POST /api/daemon/pulls': { name: 'model.pull', ...model, fields: ['tier', 'accept_licence', 'dry_run'] },
  'POST /api/daemon/pulls/{id}/pause': { name: 'download.pause', object: 'id' },
  'POST /api/daemon/pulls/{id}/resume': { name: 'download.resume', object: 'id' },
  'DELETE /api/daemon/pulls/{id}': { name: 'download.cancel', object: 'id' },
  'POST /api/pull': { name: 'model.pull', ...model },
  'POST /api/copy': { name: 'model.alias', object: 'destination', fields: ['source'] },
  'DELETE /api/delete': { name: 'model.delete', ...model, state: 'model' },
  'POST /api/daemon/adapters': { name: 'adapter.create', object: 'name', fields: ['path', 'base', 'scale'] },
  'DELETE /api/daemon/adapters/{name}': { name: 'adapter.delete', object: 'name' },
  'POST /api/daemon/engines/{name}': { name: 'engine.install', object: 'name' },
  'DELETE /api/daemon/engines/{name}': { name: 'engine.delete', object: 'name' },
  'POST /api/daemon/catalog/update': { name: 'catalogue.update' },
  'POST /api/daemon/export': { name: 'archive.export', fields: ['models', 'path'] },
  'POST /api/daemon/import-archive': { name: 'archive.import', object: 'path' },
  'POST /api/daemon/snapshot': { name: 'backup.create' },
  'POST /api/batches/{id}/cancel': { name: 'batch.cancel', object: 'id' },
  'POST /api/daemon/shutdown': { name: 'daemon.shutdown' },
};

/** Access to management: also for API keys with the scope `admin`, or only for the owner and the console. */
const MANAGEMENT: readonly string[] = ['management', 'control', 'owner', 'session'];

export function routeOf({ method, path }: Pick<Endpoint, 'method' | 'path'>): string {
  return `${method} ${path}`;
}

/**
 * The action of a route that changes something. A management route is recorded even if its action has no name, so
 * that none can be forgotten.
 */
export function actionOf(endpoint: Pick<Endpoint, 'method' | 'path' | 'access'>): Action | undefined {
  const route = routeOf(endpoint);
  const known = ACTIONS[route];
  if (known) return known;
  const changes = endpoint.method !== 'GET' && MANAGEMENT.includes(endpoint.access);
  return changes && !NOT_RECORDED.includes(route) ? { name: route } : undefined;
}

/** The routes whose actions have a name. */
export const RECORDED = ENDPOINTS.filter((endpoint) => actionOf(endpoint) !== undefined);
