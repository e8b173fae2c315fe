import { request as requestHttp, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { createSecureContext, rootCertificates } from 'node:tls';
import { connect } from './connect.ts';
import type { Guard, Passage } from './guard.ts';
import { OutboundError, toOutboundError } from './outbound-error.ts';
import { createTlsSessions } from './tls-sessions.ts';

const CONNECT_TIMEOUT_MS = 5_000;

export type Outbound = ReturnType<typeof createOutbound>;

export type OutboundRequest = Passage & {
  url: string;
  method: 'GET' | 'HEAD' | 'POST';
  headers?: Readonly<Record<string, string>>;
  body?: Buffer;
  /** From the lookup of the name to the response headers. */
  timeoutMs: number;
  /** For the response body, after its headers. */
  bodyTimeoutMs?: number;
  /** May depend on the response headers. */
  bodyBytesMax: number | ((headers: IncomingHttpHeaders) => number);
  signal?: AbortSignal;
};

export type OutboundResponse = {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
  /** False if the body exceeded its size or time limit. */
  isComplete: boolean;
};

/**
 * Outbound HTTP to URLs that users supply. Every request has its own socket, to an address that the guard has just
 * checked. Redirects are returned like any other response, and proxies are never used.
 */
export function createOutbound({ guard, extraCa }: { guard: Guard; extraCa?: string | undefined }) {
  // Created once: reading all root certificates takes long and much memory.
  const secureContext = createSecureContext({
    minVersion: 'TLSv1.2',
    ...(extraCa !== undefined && { ca: [...rootCertificates, extraCa] }),
  });
  const sessions = createTlsSessions();

  async function request(wanted: OutboundRequest): Promise<OutboundResponse> {
    const { timeoutMs, signal } = wanted;
    const url = guard.parseUrl(wanted.url, wanted);
    const ending = new AbortController();
    const timer = setTimeout(
      () => ending.abort(new OutboundError('timeout', `no answer in ${timeoutMs / 1000} s`)),
      timeoutMs,
    );
    const onAbort = () => ending.abort(signal?.reason);
    if (signal?.aborted) onAbort();
    signal?.addEventListener('abort', onAbort, { once: true });
    let socket: Socket | undefined;
    try {
      const addresses = await orAborted(guard.addressesOf(url, wanted), ending.signal);
      const connecting = {
        url,
        addresses,
        timeoutMs: Math.min(CONNECT_TIMEOUT_MS, timeoutMs),
        secureContext,
        sessions,
      };
      socket = await connect({ ...connecting, signal: ending.signal });
      const response = await exchange({ url, socket, wanted, signal: ending.signal });
      clearTimeout(timer);
      return await readBody(response, wanted, ending.signal);
    } catch (error) {
      throw toOutboundError(ending.signal.aborted ? ending.signal.reason : error);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      socket?.destroy();
    }
  }

  return { request };
}

type Exchanging = { url: URL; socket: Socket; wanted: OutboundRequest; signal: AbortSignal };

function exchange({ url, socket, wanted, signal }: Exchanging): Promise<IncomingMessage> {
  const { method, headers = {}, body } = wanted;
  return new Promise((resolve, reject) => {
    const request = requestHttp({
      method,
      path: url.pathname + url.search,
      headers: {
        host: url.host,
        ...headers,
        ...(body && { 'content-length': body.length }),
        connection: 'close',
      },
      createConnection: () => socket,
    });
    const onAbort = () => request.destroy(signal.reason as Error);
    signal.addEventListener('abort', onAbort, { once: true });
    request.on('error', reject);
    request.on('close', () => signal.removeEventListener('abort', onAbort));
    request.on('response', resolve);
    request.end(body);
  });
}

/**
 * Reads as much as is wanted, and no longer than is wanted. The status has already been returned, so this can no
 * longer fail.
 */
function readBody(
  response: IncomingMessage,
  { bodyBytesMax, bodyTimeoutMs, timeoutMs }: OutboundRequest,
  signal: AbortSignal,
): Promise<OutboundResponse> {
  const { statusCode: status = 0, headers } = response;
  const bytesMax = typeof bodyBytesMax === 'number' ? bodyBytesMax : bodyBytesMax(headers);
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const finish = (isComplete: boolean): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', cut);
      response.off('data', onData).destroy();
      const body = Buffer.concat(chunks).subarray(0, bytesMax);
      resolve({ status, headers, body, isComplete });
    };
    const cut = () => finish(false);
    const onData = (chunk: Buffer): void => {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > bytesMax) cut();
    };
    const timer = setTimeout(cut, bodyTimeoutMs ?? timeoutMs);
    signal.addEventListener('abort', cut, { once: true });
    response
      .on('data', onData)
      .on('error', cut)
      .once('end', () => finish(response.complete));
  });
}

function orAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason as Error);
    signal.addEventListener('abort', onAbort, { once: true });
    // Also for work that nobody awaits any more: an unhandled rejection would end the process.
    void work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
    if (signal.aborted) onAbort();
  });
}
