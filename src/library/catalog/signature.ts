import { createHash, createPrivateKey, createPublicKey, sign, verify, type KeyObject } from 'node:crypto';
import { catalogInvalid } from './failures.ts';

/** The file as it is published: the catalogue as text, so that exactly its bytes are signed. */
type SignedFile = { format: typeof FORMAT; key: string; signature: string; catalog: string };

const FORMAT = 'askd-catalog';
/** A signature by the same key over something else is not valid for a catalogue. */
const PURPOSE = `${FORMAT}\n`;

/** Identifies a public key. */
export function keyId(publicKey: string): string {
  return createHash('sha256').update(Buffer.from(publicKey, 'base64')).digest('hex').slice(0, 16);
}

/** The text that one of these keys signed, and which key. */
export function openSigned(file: string, keys: readonly string[]): { catalog: string; key: string } {
  const { key, signature, catalog } = parse(file);
  const publicKey = keys.find((each) => keyId(each) === key);
  if (publicKey === undefined) {
    throw catalogInvalid(`It is signed by the key ${key}, which this askd does not trust`);
  }
  const isGenuine = verify(null, bytesOf(catalog), keyObject(publicKey), Buffer.from(signature, 'base64'));
  if (!isGenuine)
    throw catalogInvalid('Its signature is wrong: it was changed after it was signed, or forged');
  return { catalog, key };
}

/** The file to publish, signed with a private key in PEM. */
export function signCatalog(catalog: string, privatePem: string): string {
  const privateKey = createPrivateKey(privatePem);
  if (privateKey.asymmetricKeyType !== 'ed25519') throw new Error('The private key is not an ed25519 key.');
  const signature = sign(null, bytesOf(catalog), privateKey).toString('base64');
  const file: SignedFile = { format: FORMAT, key: keyId(publicKeyOf(privatePem)), signature, catalog };
  return `${JSON.stringify(file)}\n`;
}

export function publicKeyOf(privatePem: string): string {
  const { x = '' } = createPublicKey(privatePem).export({ format: 'jwk' });
  return Buffer.from(x, 'base64url').toString('base64');
}

function parse(file: string): SignedFile {
  let content: Partial<SignedFile> | null;
  try {
    content = JSON.parse(file) as Partial<SignedFile> | null;
  } catch (cause) {
    throw catalogInvalid('It is truncated, or not a catalogue', cause);
  }
  const { format, key, signature, catalog } = content ?? {};
  const isComplete = [key, signature, catalog].every((each) => typeof each === 'string');
  if (format !== FORMAT || !isComplete) throw catalogInvalid('It is not a catalogue of askd');
  return content as SignedFile;
}

function bytesOf(catalog: string): Buffer {
  return Buffer.from(PURPOSE + catalog);
}

function keyObject(publicKey: string): KeyObject {
  const x = Buffer.from(publicKey, 'base64').toString('base64url');
  return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
}
