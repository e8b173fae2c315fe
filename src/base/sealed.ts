import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { Failure } from './errors.ts';

const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export type Seal = ReturnType<typeof openSeal>;

/**
 * Encrypts secrets that must be readable again, so that a hash will not do: AES-256-GCM with a key in a separate file
 * that only this user can read. Ciphertext is bound to its place and cannot be decrypted in another.
 */
export function openSeal(path: string) {
  const key = ensureKey(path);
  return {
    seal(text: string, place: string): Buffer {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(place));
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
    },

    open(sealed: Buffer, place: string): string {
      const nonce = sealed.subarray(0, NONCE_BYTES);
      const tag = sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
      try {
        const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
        decipher.setAAD(Buffer.from(place)).setAuthTag(tag);
        const text = decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES));
        return Buffer.concat([text, decipher.final()]).toString('utf8');
      } catch (cause) {
        throw new Failure(
          'seal_broken',
          `A secret cannot be decrypted with the key in ${path}. If the key was replaced, restore it from a backup.`,
          {
            cause,
          },
        );
      }
    },

    /** Key material derived from the key: stable as long as the key is, and otherwise independent of it. */
    derive: (purpose: string, bytes: number): Buffer =>
      Buffer.from(hkdfSync('sha256', key, '', purpose, bytes)),
  };
}

function ensureKey(path: string): Buffer {
  const existing = readKey(path);
  if (existing !== undefined) return existing;
  const key = randomBytes(KEY_BYTES);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeFileSync(path, key, { mode: 0o600, flag: 'wx' });
  return key;
}

function readKey(path: string): Buffer | undefined {
  let key: Buffer;
  try {
    key = readFileSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  if (key.length === KEY_BYTES) return key;
  throw new Failure('seal_broken', `The key in ${path} is damaged. Restore it from a backup.`);
}
