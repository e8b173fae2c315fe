const SECRET_PREFIX = 'whsec_';
const TOLERANCE_SECONDS = 300;

type HeaderValue = string | readonly string[] | undefined;

export type WebhookInput = {
  /** The body exactly as received: parsed and serialized again, it has a different signature. */
  body: string | Uint8Array;
  headers: Headers | Record<string, HeaderValue>;
  /** All secrets that are valid now, during a rotation. */
  secret: string | readonly string[];
  now?: () => number;
};

/** It was not sent by the owner of the secret, or is too old. */
export class WebhookVerificationError extends Error {
  override readonly name: string = 'WebhookVerificationError';
}

/** Verifies the signature of a webhook by the Standard Webhooks scheme, and returns its event. */
export async function verifyWebhook({
  body,
  headers,
  secret,
  now = Date.now,
}: WebhookInput): Promise<unknown> {
  const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map((name) =>
    headerOf(headers, `webhook-${name}`),
  );
  if (!id || !timestamp || !signatures) throw new WebhookVerificationError('A signature header is missing.');
  if (!/^\d+$/.test(timestamp)) throw new WebhookVerificationError('The timestamp is not a number.');
  if (Math.abs(now() / 1000 - Number(timestamp)) > TOLERANCE_SECONDS)
    throw new WebhookVerificationError('The timestamp is too old or in the future.');
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  const signed = concat(new TextEncoder().encode(`${id}.${timestamp}.`), bytes);
  for (const each of [secret].flat()) if (await isSigned(signatures, signed, each)) return parse(bytes);
  throw new WebhookVerificationError('No signature matches the body.');
}

/** `verify` compares in constant time. */
async function isSigned(
  signatures: string,
  signed: Uint8Array<ArrayBuffer>,
  secret: string,
): Promise<boolean> {
  const raw = fromBase64(secret.startsWith(SECRET_PREFIX) ? secret.slice(SECRET_PREFIX.length) : secret);
  if (raw === undefined || raw.length === 0)
    throw new TypeError('The secret of a webhook begins with whsec_.');
  const hmac = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', raw, hmac, false, ['verify']);
  for (const signature of signatures.split(' ')) {
    const given = signature.startsWith('v1,') ? fromBase64(signature.slice(3)) : undefined;
    if (given && (await crypto.subtle.verify('HMAC', key, given, signed))) return true;
  }
  return false;
}

function headerOf(headers: WebhookInput['headers'], name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const found = Object.entries(headers).find(([each]) => each.toLowerCase() === name)?.[1];
  return typeof found === 'string' ? found : undefined;
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

function concat(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(first.length + second.length);
  all.set(first);
  all.set(second, first.length);
  return all;
}

function parse(bytes: Uint8Array): unknown {
  return JSON.parse(new TextDecoder().decode(bytes));
}
