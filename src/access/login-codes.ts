import { createHash, randomBytes } from 'node:crypto';
import type { Clock } from '../base/clock.ts';
import { Failure } from '../base/errors.ts';

const LIFETIME_MS = 60_000;
const LIVE_MAX = 32;

export type LoginCodes = ReturnType<typeof createLoginCodes>;

/**
 * Codes that each open one dashboard session, within a minute. They live in memory only: a restart takes longer than
 * most of them last, and what is never written cannot be read from a backup.
 */
export function createLoginCodes({ clock }: { clock: Clock }) {
  const live = new Map<string, { accountId: string; expiresAt: number }>();

  function issue(accountId: string): { code: string; expiresAt: number } {
    const code = `askcode_${randomBytes(32).toString('base64url')}`;
    const now = clock.now();
    for (const [digest, { expiresAt }] of live) if (expiresAt <= now) live.delete(digest);
    const [oldest] = live.keys();
    if (live.size >= LIVE_MAX && oldest !== undefined) live.delete(oldest);
    const expiresAt = now + LIFETIME_MS;
    live.set(digestOf(code), { accountId, expiresAt });
    return { code, expiresAt };
  }

  /** The account whose session the code opens. A code is gone once it was presented, in time or not. */
  function redeem(code: string): string {
    const digest = digestOf(code);
    const found = live.get(digest);
    live.delete(digest);
    if (found !== undefined && found.expiresAt > clock.now()) return found.accountId;
    throw new Failure(
      'login_code_invalid',
      'This login link has already been used or has expired. Open a new one: askd dashboard',
    );
  }

  return { issue, redeem };
}

function digestOf(code: string): string {
  return createHash('sha256').update(code, 'utf8').digest('hex');
}
