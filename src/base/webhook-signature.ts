import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** Standard Webhooks 1.0: the signature covers `id.timestamp.body`, keyed with the decoded bytes of the secret. */
const SECRET_PREFIX = 'whsec_';
const SECRET_BYTES = 32;
const TOLERANCE_SECONDS = 300;

export type SignedHeaders = {
  'webhook-id': string;
  'webhook-timestamp': string;
  'webhook-signature': string;
};

export type Signing = {
  id: string;
  timestampSeconds: number;
  body: string | Buffer;
  secrets: readonly string[];
};

export function newWebhookSecret(bytes: Buffer = randomBytes(SECRET_BYTES)): string {
  return SECRET_PREFIX + bytes.toString('base64');
}

/** One signature per secret, so that a receiver may know either one during a rotation. */
export function signWebhook({ id, timestampSeconds, body, secrets }: Signing): SignedHeaders {
  const timestamp = String(timestampSeconds);
  const signatures = secrets.map(
    (secret) => `v1,${digest({ id, timestamp, body, secret }).toString('base64')}`,
  );
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}

type Verifying = {
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
  secret: string;
  nowMs: number;
};

/** Undefined if the signature is valid, otherwise what is wrong. */
export function webhookComplaint({ headers, body, secret, nowMs }: Verifying): string | undefined {
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => {
    const value = headers[name];
    return typeof value === 'string' ? value : undefined;
  });
  if (id === undefined || timestamp === undefined || signatures === undefined)
    return 'a signature header is missing';
  if (!/^\d+$/.test(timestamp)) return 'the timestamp is not a number';
  if (Math.abs(nowMs / 1000 - Number(timestamp)) > TOLERANCE_SECONDS)
    return 'the timestamp is too old or in the future';
  const wanted = digest({ id, timestamp, body, secret });
  const isSigned = signatures.split(' ').some((signature) => matches(signature, wanted));
  return isSigned ? undefined : 'no signature matches';
}

type Digesting = { id: string; timestamp: string; body: string | Buffer; secret: string };

function digest({ id, timestamp, body, secret }: Digesting): Buffer {
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
  return createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest();
}

function matches(signature: string, wanted: Buffer): boolean {
  if (!signature.startsWith('v1,')) return false;
  const given = Buffer.from(signature.slice(3), 'base64');
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}
