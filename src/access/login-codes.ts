import { createHash, randomBytes } from 'node:crypto';
import type { Clock } from '../base/clock.ts';
import { Failure } from '../base/errors.ts';

const LIFETIME_MS = 60_000;
/** Per account, so that no account can push out the codes of another. */
const LIVE_MAX = 32;

/** Who signs in with a code: a member, or the owner if there is none. */
export type LoginHolder = { accountId: string; memberId?: string };

export type LoginCodes = ReturnType<typeof createLoginCodes>;

/**
 * Codes that each open one dashboard session. They are valid for a minute, or longer if they are sent to somebody.
 * They are kept only in memory, so that no backup contains one.
 */
export function createLoginCodes({ clock }: { clock: Clock }) {
  const live = new Map<string, { holder: LoginHolder; expiresAt: number }>();

  function issue(holder: LoginHolder, lifetimeMs = LIFETIME_MS): { code: string; expiresAt: number } {
    const code = `askcode_${randomBytes(32).toString('base64url')}`;
    const now = clock.now();
    for (const [digest, { expiresAt }] of live) if (expiresAt <= now) live.delete(digest);
    makeRoom(holder.accountId);
    const expiresAt = now + lifetimeMs;
    live.set(digestOf(code), { holder, expiresAt });
    return { code, expiresAt };
  }

  function makeRoom(accountId: string): void {
    const own = [...live].filter(([, { holder }]) => holder.accountId === accountId);
    const [oldest] = own;
    if (oldest !== undefined && own.length >= LIVE_MAX) live.delete(oldest[0]);
  }

  /** Returns whose session the code opens. A code can be presented only once, even if it has expired. */
  function redeem(code: string): LoginHolder {
    const digest = digestOf(code);
    const found = live.get(digest);
    live.delete(digest);
    if (found !== undefined && found.expiresAt > clock.now()) return found.holder;
    throw invalidLoginCode();
  }

  return { issue, redeem };
}

export function invalidLoginCode(): Failure {
  return new Failure(
    'login_code_invalid',
    'This login link has already been used or has expired. Open a new one: askd dashboard',
  );
}

function digestOf(code: string): string {
  return createHash('sha256').update(code, 'utf8').digest('hex');
}
