import { createKey, deleteKey, listKeys, rotateKey, updateKey } from '../../../src/api/account/keys.ts';
import type { Services } from '../../compose.ts';
import type { RegisterRoute } from '../../http/register-route.ts';

const DEFAULT_SCOPES = ['chat', 'read'];

export function registerKeys(register: RegisterRoute, { keys }: Services): void {
  register(listKeys, ({ principal }) => keys.list(principal.accountId));

  register(createKey, ({ body, principal, reply }) => {
    void reply.header('cache-control', 'no-store');
    return keys.create({
      accountId: principal.accountId,
      name: body.name,
      scopes: body.scopes ?? DEFAULT_SCOPES,
      expiresAt: body.expires_at ? Date.parse(body.expires_at) : null,
    });
  });

  register(updateKey, ({ body, params, principal }) => {
    const { is_active: isActive, ...rest } = body;
    keys.update(principal.accountId, params['id'] ?? '', {
      ...rest,
      ...(isActive !== undefined && { isActive }),
    });
    return { success: true as const };
  });

  register(rotateKey, ({ body, params, principal, reply }) => {
    void reply.header('cache-control', 'no-store');
    return keys.rotate(principal.accountId, params['id'] ?? '', (body.grace_seconds ?? 0) * 1000);
  });

  register(deleteKey, ({ params, principal }) => {
    keys.revoke(principal.accountId, params['id'] ?? '');
    return { success: true as const };
  });
}
