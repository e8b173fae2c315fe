import { randomBytes, timingSafeEqual } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

const ROOT_PREFIX = 'askroot_';

/**
 * Matches anything that looks like one of our secrets, including URL-encoded, for redaction in logs and error
 * messages.
 */
export const SECRET_SHAPE =
  /(?:\b|(?<=%[0-9A-Fa-f]{2}))(ask_|askroot_|asksess_|askcode_|askpay_|whsec_|[sr]k_live_|[sr]k_test_)[0-9A-Za-z+/=_%-]{6,}/g;

export function redactSecrets(text: string): string {
  return text.replace(SECRET_SHAPE, '$1[redacted]');
}

export type RootToken = ReturnType<typeof openRootToken>;

/** The root token: created at the first start, readable only by this user. The CLI sends it; browsers never see it. */
export function openRootToken(path: string) {
  let token = readRootToken(path) ?? makeRootToken(path);
  return {
    current: () => token,
    /** The file is replaced atomically before the old token expires, so a command reads one or the other. */
    rotate: () => void (token = makeRootToken(path)),
  };
}

function makeRootToken(path: string): string {
  const token = ROOT_PREFIX + randomBytes(32).toString('base64url');
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const temporary = `${path}.${process.pid}`;
  rmSync(temporary, { force: true });
  writeFileSync(temporary, token, { mode: 0o600, flag: 'wx' });
  renameSync(temporary, path);
  return token;
}

export function readRootToken(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return undefined;
  }
}

export function looksLikeRootToken(token: string): boolean {
  return token.startsWith(ROOT_PREFIX);
}

export function sameSecret(a: string, b: string): boolean {
  const left = Buffer.from(a);
  const right = Buffer.from(b);
  return left.length === right.length && timingSafeEqual(left, right);
}
