import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import { Failure } from '../base/errors.ts';

const SALT_BYTES = 16;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
export const PASSPHRASE_LENGTH_MIN = 8;

/** Fixed, so that no archive can demand more memory or time than this. */
const COST = { N: 2 ** 16, r: 8, p: 1, maxmem: 128 * 1024 * 1024 };

export type BackedUpSecrets = {
  /** Decrypts the signing secrets of webhooks, which are in the database. */
  sealKey: string;
  settings: Readonly<Record<string, string>>;
  /** The keys of other servers, by the name of their connection's file. */
  upstreams: Readonly<Record<string, string>>;
};

/** AES-256-GCM with a key derived from the passphrase by scrypt. Decryption needs the same `bound`. */
export async function sealSecrets(
  secrets: BackedUpSecrets,
  passphrase: string,
  bound: string,
): Promise<Buffer> {
  const salt = randomBytes(SALT_BYTES);
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', await keyOf(passphrase, salt), nonce).setAAD(
    Buffer.from(bound),
  );
  const sealed = Buffer.concat([cipher.update(JSON.stringify(secrets), 'utf8'), cipher.final()]);
  return Buffer.concat([salt, nonce, cipher.getAuthTag(), sealed]);
}

export async function openSecrets(
  sealed: Buffer,
  passphrase: string,
  bound: string,
): Promise<BackedUpSecrets> {
  const [salt, nonce, tag, text] = split(sealed, [SALT_BYTES, NONCE_BYTES, TAG_BYTES]);
  try {
    const key = await keyOf(passphrase, salt);
    const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
    decipher.setAAD(Buffer.from(bound)).setAuthTag(tag);
    return JSON.parse(
      Buffer.concat([decipher.update(text), decipher.final()]).toString('utf8'),
    ) as BackedUpSecrets;
  } catch (cause) {
    throw new Failure(
      'passphrase_wrong',
      'The secrets of this backup cannot be decrypted: the passphrase is wrong, or the backup was modified. Nothing was changed.',
      { cause, details: { fix: 'give the right passphrase, or leave the secrets out: --no-secrets' } },
    );
  }
}

function keyOf(passphrase: string, salt: Buffer): Promise<Buffer> {
  const derive = promisify<string, Buffer, number, typeof COST, Buffer>(scrypt);
  return derive(passphrase.normalize('NFC'), salt, 32, COST);
}

function split(whole: Buffer, lengths: readonly [number, number, number]): [Buffer, Buffer, Buffer, Buffer] {
  const [first, second, third] = [lengths[0], lengths[0] + lengths[1], lengths[0] + lengths[1] + lengths[2]];
  return [
    whole.subarray(0, first),
    whole.subarray(first, second),
    whole.subarray(second, third),
    whole.subarray(third),
  ];
}
