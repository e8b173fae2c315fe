import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const PREFIX = 'ask_';
const RANDOM_LENGTH = 40;
const CHECKSUM_LENGTH = 6;
const SHAPE = /^ask_[0-9A-Za-z]{46}$/;

/** `ask_`, 40 random base62 characters (238 bits), and the base62 CRC32 of everything before it. */
export function generateKey(): string {
  const body = PREFIX + randomBase62(RANDOM_LENGTH);
  return body + checksum(body);
}

/** Tells keys from typos and junk without a database lookup. It proves nothing. */
export function isWellFormed(key: string): boolean {
  return SHAPE.test(key) && checksum(key.slice(0, -CHECKSUM_LENGTH)) === key.slice(-CHECKSUM_LENGTH);
}

/** The stored form of a key, in hexadecimal: a string is faster to make than a buffer. */
export function fingerprint(key: string): string {
  return hash('sha256', key, 'hex');
}

export function displayParts(key: string): { prefix: string; lastFour: string } {
  return { prefix: key.slice(0, 8), lastFour: key.slice(-4) };
}

/** Bytes of 248 and above are rejected: 248 is the largest multiple of 62, so the result is unbiased. */
function randomBase62(length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < 248 && text.length < length) text += ALPHABET.charAt(byte % 62);
    }
  }
  return text;
}

function checksum(body: string): string {
  let rest = crc32(body);
  let text = '';
  for (let position = 0; position < CHECKSUM_LENGTH; position++) {
    text = ALPHABET.charAt(rest % 62) + text;
    rest = Math.floor(rest / 62);
  }
  return text;
}
