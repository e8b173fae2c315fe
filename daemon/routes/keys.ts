import { createKey, deleteKey, listKeys } from '../../src/api/keys.ts';
import type { Services } from '../compose.ts';
import type { Mount } from '../mount.ts';

const DEFAULT_SCOPES = ['chat', 'read'];

export function mountKeys(mount: Mount, { keys }: Services): void {
  mount(listKeys, ({ principal }) => keys.list(principal.accountId));

  mount(createKey, ({ body, principal, reply }) => {
    void reply.header('cache-control', 'no-store');
    return keys.create({
      accountId: principal.accountId,
      name: body.name,
      scopes: body.scopes ?? DEFAULT_SCOPES,
      expiresAt: body.expires_at ? Date.parse(body.expires_at) : null,
    });
  });

  mount(deleteKey, ({ params, principal }) => {
    keys.revoke(principal.accountId, params['id'] ?? '');
    return { success: true as const };
  });
}
