import { randomBytes } from 'node:crypto';

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** A prefixed ULID: sortable by time, unguessable enough to be public, never a secret. */
export function newId(prefix: string, nowMs: number = Date.now()): string {
  return `${prefix}_${encodeTime(nowMs)}${encodeRandom()}`;
}

function encodeTime(nowMs: number): string {
  let rest = nowMs;
  let text = '';
  for (let position = 0; position < 10; position++) {
    text = CROCKFORD.charAt(rest % 32) + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}

function encodeRandom(): string {
  let text = '';
  for (const byte of randomBytes(16)) text += CROCKFORD.charAt(byte % 32);
  return text;
}
