import { Failure } from '../base/errors.ts';

export const SCOPES = ['chat', 'read', 'write', 'admin'] as const;
export type Scope = (typeof SCOPES)[number];

export function requireScope(granted: readonly string[], needed: Scope): void {
  if (granted.includes(needed) || granted.includes('admin')) return;
  throw new Failure(
    'insufficient_scope',
    `This key does not have the scope "${needed}" (it has: ${granted.join(', ')}). ` +
      `Create one that does: askd keys create --name NAME --scopes ${[...granted, needed].join(',')}`,
    { details: { needed_scope: needed } },
  );
}
