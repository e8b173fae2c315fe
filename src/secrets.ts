import { randomBytes, timingSafeEqual } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

const ROOT_PREFIX = 'askroot_';

/** Anything that looks like one of our secrets, also with % signs as in a URL, for the log and for error texts. */
const SECRET_SHAPE =
  /(?:\b|(?<=%[0-9A-Fa-f]{2}))(ask_|askroot_|asksess_|askcode_|askpay_|whsec_|[sr]k_live_|[sr]k_test_)[0-9A-Za-z+/=_%-]{6,}/g;

export function redactSecrets(text: string): string {
  return text.replace(SECRET_SHAPE, '$1[redacted]');
}

/** The owner's token: made at the first start, readable by this user alone. The CLI sends it, browsers never see it. */
export function ensureRootToken(path: string): string {
  const existing = readRootToken(path);
  if (existing !== undefined) return existing;
  const token = ROOT_PREFIX + randomBytes(32).toString('base64url');
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeFileSync(path, token, { mode: 0o600, flag: 'wx' });
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
