import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const SALT_BYTES = 16;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * A response can contain a secret that is shown only once. So it is encrypted with a key derived from the client's
 * idempotency key and credential; the database holds at most hashes of these.
 */
export function seal(text: Buffer, secret: string): Buffer {
  const salt = randomBytes(SALT_BYTES);
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', deriveKey(secret, salt), nonce);
  const sealed = Buffer.concat([cipher.update(text), cipher.final()]);
  return Buffer.concat([salt, nonce, cipher.getAuthTag(), sealed]);
}

/** Undefined if the secret differs. */
export function unseal(sealed: Buffer, secret: string): Buffer | undefined {
  const salt = sealed.subarray(0, SALT_BYTES);
  const nonce = sealed.subarray(SALT_BYTES, SALT_BYTES + NONCE_BYTES);
  const body = SALT_BYTES + NONCE_BYTES + TAG_BYTES;
  const decipher = createDecipheriv('aes-256-gcm', deriveKey(secret, salt), nonce);
  decipher.setAuthTag(sealed.subarray(SALT_BYTES + NONCE_BYTES, body));
  try {
    return Buffer.concat([decipher.update(sealed.subarray(body)), decipher.final()]);
  } catch {
    return undefined;
  }
}

function deriveKey(secret: string, salt: Buffer): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, salt, 'askd idempotent answer', 32));
}
