import { X509Certificate } from 'node:crypto';
import { request as requestHttp, type IncomingMessage, type RequestOptions } from 'node:http';
import { Readable } from 'node:stream';
import { formPayload, type Form, type Payload } from '../../base/form.ts';
import type { Answer, Fetch } from '../../client/send.ts';

export type Connection = {
  trust?: Trust;
  /** Idle timeout. */
  silenceMsMax?: number;
  onSilence?: (error: Error) => void;
  /** Sent as the body; the file is read again for each attempt. */
  form?: Form | undefined;
};
export type Trust = ReturnType<typeof trustOnly>;

type Sent = {
  method?: string | undefined;
  headers?: Record<string, string> | undefined;
  body?: string | Uint8Array | undefined;
  signal?: AbortSignal | null | undefined;
};

const BODY_BYTES_MAX = 64 * 1024 * 1024;

/**
 * A `fetch` for the client on top of Node's http. Node's own takes 60 ms of processor time to load, and sends a
 * browser's headers, for which the daemon refuses the root token.
 */
export function createFetch(connection: Connection = {}): Fetch {
  return async (url, init) => answerOf(await exchange(url, init as Sent, connection));
}

export async function exchange(
  url: string,
  { method = 'GET', headers, body, signal }: Sent,
  { trust, silenceMsMax, onSilence, form }: Connection = {},
): Promise<IncomingMessage> {
  const payload = form && (await formPayload(form));
  const options: RequestOptions = {
    method,
    headers: { ...headers, ...(payload && headersOf(payload)) },
    agent: false,
    ...(signal && { signal }),
    ...trust,
  };
  const open = url.startsWith('https:') ? (await import('node:https')).request : requestHttp;
  return new Promise((resolve, reject) => {
    const request = open(url, options, resolve);
    request.on('error', reject);
    request.setTimeout(silenceMsMax ?? 0, () => {
      const error = new Error(`no data for ${(silenceMsMax ?? 0) / 1000} s`);
      onSilence?.(error);
      request.destroy(error);
    });
    if (payload) Readable.from(payload.chunks).on('error', reject).pipe(request);
    else request.end(body);
  });
}

/** Whatever names the certificate has, and whoever issued it. */
export function trustOnly(pem: string) {
  const { fingerprint256 } = new X509Certificate(pem);
  return {
    ca: pem,
    allowPartialTrustChain: true,
    checkServerIdentity: (host: string, shown: { fingerprint256: string }) =>
      shown.fingerprint256 === fingerprint256
        ? undefined
        : new Error(`${host} presents a different certificate than the local daemon`),
  };
}

function headersOf({ type, length }: Payload) {
  return { 'content-type': type, 'content-length': length };
}

/** The part of a Response that the client uses; the real class is as slow to load as `fetch`. */
export function answerOf(response: IncomingMessage): Answer {
  const { statusCode: status = 0, headers } = response;
  const chunks = (response as AsyncIterable<Buffer>)[Symbol.asyncIterator]();
  const cancel = async () => void response.destroy();
  return {
    ok: status >= 200 && status < 300,
    status,
    headers: { get: (name) => headers[name]?.toString() ?? null },
    body: { getReader: () => ({ read: () => chunks.next(), cancel }) },
    text: () => readText(response),
  };
}

async function readText(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > BODY_BYTES_MAX) throw new Error('the response is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
