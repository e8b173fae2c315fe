import type { ApiKey } from '../../src/api/account/keys.ts';

/** Whether the key is usable now. */
export function keyState({ is_active: isActive, expires_at: expiresAt }: ApiKey, nowMs: number): string {
  if (expiresAt !== null && Date.parse(expiresAt) <= nowMs) return 'expired';
  return isActive ? 'active' : 'off';
}
