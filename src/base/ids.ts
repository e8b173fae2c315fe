import { randomBytes } from 'node:crypto';

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** A prefixed ULID: sortable by time, hard enough to guess to be public, but never a secret. */
export function newId(prefix: string, nowMs: number = Date.now()): string {
  return `${prefix}_${encodeTime(nowMs)}${encodeRandom()}`;
}

/** Not later than any id of this moment, and later than all ids before it. */
export function firstIdAt(prefix: string, ms: number): string {
  return `${prefix}_${encodeTime(Math.max(0, ms))}`;
}

/** Cached, because ids of the same millisecond share their time prefix. */
let encodedMs = -1;
let encodedTime = '';

function encodeTime(nowMs: number): string {
  if (nowMs === encodedMs) return encodedTime;
  let rest = nowMs;
  let text = '';
  for (let position = 0; position < 10; position++) {
    text = CROCKFORD.charAt(rest % 32) + text;
    rest = Math.floor(rest / 32);
  }
  encodedMs = nowMs;
  encodedTime = text;
  return text;
}

/** Random bytes are fetched for many ids at once: each call costs about as much as an id. */
const POOL_BYTES = 4096;
const ID_BYTES = 16;
let pool = Buffer.alloc(0);
let used = 0;

function encodeRandom(): string {
  if (used + ID_BYTES > pool.length) {
    pool = randomBytes(POOL_BYTES);
    used = 0;
  }
  let text = '';
  for (const end = used + ID_BYTES; used < end; used++) text += CROCKFORD.charAt((pool[used] ?? 0) % 32);
  return text;
}
