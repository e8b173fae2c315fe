import { once } from 'node:events';
import {
  request as requestHttp,
  type ClientRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { Failure } from '../../../base/errors.ts';
import type { ProxySettings } from '../../../config/proxy-settings.ts';
import { openTunnel, proxyFor, proxyHeaders, requestProxy } from './proxy.ts';
import type { Sent } from './read-request.ts';

export type Upstream = {
  /** With `/v1` or its equivalent: requests to `/v1` go there. */
  baseUrl: string;
  /** PEM, for a server that is verified by its certificate instead of its name. */
  certificate?: string;
  /** The key that clients send, and what is sent on instead. */
  key?: { from: string; to: string };
  /** Connects to a provider on the network. */
  proxy?: ProxySettings;
};

export type Captured = {
  status: number;
  headers: IncomingHttpHeaders;
  headersMs: number;
  parts: { ms: number; bytes: Buffer }[];
  endMs: number;
  isCut: boolean;
};

const HOP_BY_HOP = [
  'connection',
  'keep-alive',
  'transfer-encoding',
  'te',
  'trailer',
  'upgrade',
  'proxy-connection',
];

/** Forwards a request, streams the answer to its client, and resolves to what arrived. */
export async function forward(
  upstream: Upstream,
  {
    sent,
    body,
    response,
    bytesMax,
  }: { sent: Sent; body: Buffer; response: ServerResponse; bytesMax: number },
): Promise<Captured> {
  const startMs = performance.now();
  const elapsed = () => Math.round(performance.now() - startMs);
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const answer = await ask(upstream, { sent, body, signal: gone.signal });
  const { statusCode: status = 502, headers } = answer;
  const captured: Captured = { status, headers, headersMs: elapsed(), parts: [], endMs: 0, isCut: false };
  response.writeHead(status, withoutHops(headers));
  response.flushHeaders();
  let size = 0;
  try {
    for await (const bytes of answer as AsyncIterable<Buffer>) {
      size += bytes.length;
      if (size <= bytesMax) captured.parts.push({ ms: elapsed(), bytes });
      if (!response.write(bytes)) await once(response, 'drain', { signal: gone.signal });
    }
    response.end();
  } catch {
    captured.isCut = true;
    response.destroy();
  }
  captured.endMs = elapsed();
  if (size > bytesMax)
    throw new Failure('request_too_large', `An answer of ${size} bytes is too large to record.`);
  return captured;
}

/** The URL of a request at the upstream. */
export function addressAt(baseUrl: string, path: string): URL {
  const base = new URL(baseUrl);
  const prefix = base.pathname.replace(/\/+$/, '') || '/v1';
  const rest = /^\/v1(?=[/?]|$)(.*)$/s.exec(path)?.[1];
  return new URL(base.origin + (rest === undefined ? path : prefix + rest));
}

async function ask(
  upstream: Upstream,
  { sent, body, signal }: { sent: Sent; body: Buffer; signal: AbortSignal },
): Promise<IncomingMessage> {
  const { baseUrl, key } = upstream;
  const url = addressAt(baseUrl, sent.url ?? '/');
  const kept = Object.entries(withoutHops(sent.headers)).filter(
    ([name]) => name !== 'host' && name !== 'expect',
  );
  const headers: IncomingHttpHeaders = {
    ...Object.fromEntries(kept.map(([name, value]) => [name, key ? exchangeKey(value, key) : value])),
    // Bytes that can be read in a review.
    'accept-encoding': 'identity',
    ...(body.length > 0 && { 'content-length': String(body.length) }),
  };
  try {
    const request = await open(upstream, url, { method: sent.method, headers, signal });
    request.end(body);
    const [answer] = (await once(request, 'response')) as [IncomingMessage];
    return answer;
  } catch (cause) {
    if (signal.aborted)
      throw new Failure('client_disconnected', 'The client disconnected before the answer began.');
    const reason = (cause as Error).message || (cause as NodeJS.ErrnoException).code;
    throw new Failure('upstream_unavailable', `${url.origin} does not answer: ${reason}`, { cause });
  }
}

type Options = { method: string | undefined; headers: IncomingHttpHeaders; signal: AbortSignal };

async function open({ certificate, proxy }: Upstream, url: URL, options: Options): Promise<ClientRequest> {
  const via = proxy && proxyFor(url, proxy);
  const trust = certificate === undefined ? {} : { ca: certificate, checkServerIdentity: () => undefined };
  if (url.protocol === 'https:') {
    if (!via) return requestHttps(url, { ...options, ...trust });
    const socket = await openTunnel(via, url, options.signal);
    const { hostname: host } = url;
    // An IP address is not a server name.
    const named = isIP(host) === 0 ? { servername: host } : {};
    const createConnection = () => connectTls({ ...trust, ...named, socket, host });
    return requestHttps(url, { ...options, createConnection });
  }
  if (!via) return requestHttp(url, options);
  const headers = { ...options.headers, host: url.host, ...proxyHeaders(via) };
  return requestProxy(via, { ...options, headers, path: url.href });
}

function exchangeKey(value: string | string[] | undefined, { from, to }: { from: string; to: string }) {
  return typeof value === 'string' ? value.replace(from, to) : value;
}

function withoutHops(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !HOP_BY_HOP.includes(name)));
}
