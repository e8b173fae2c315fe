import type { IncomingHttpHeaders } from 'node:http';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import { promisify } from 'node:util';
import { OutboundError } from '../../../net/outbound-error.ts';
import type { OutboundResponse } from '../../../net/outbound.ts';
import { version } from '../../../base/version.ts';
import type { AgentOutbound } from '../../outbound.ts';
import type { DocumentKind } from '../extract/file-kind.ts';

export type Fetched =
  | { status: 'ok'; url: string; bytes: Buffer; kind: DocumentKind; charset?: string; received: number }
  | { status: 'rate_limited' | 'blocked' | 'error'; reason: string; received: number };

/** Timeouts of a page: for the headers of each response, for a body, and for everything with redirects. */
export type FetchTimeouts = { headersMs: number; bodyMs: number; totalMs: number };

export type Fetching = {
  url: string;
  trusted?: string | undefined;
  timeouts: FetchTimeouts;
  signal: AbortSignal;
};

export const FETCH_TIMEOUTS: FetchTimeouts = { headersMs: 8_000, bodyMs: 7_000, totalMs: 15_000 };
const REDIRECTS_MAX = 3;
const TEXT_BYTES_MAX = 2 * 1024 * 1024;
const PDF_BYTES_MAX = 10 * 1024 * 1024;

const HEADERS = {
  'user-agent': `askd/${version} (local research agent)`,
  accept:
    'text/html,application/xhtml+xml,application/pdf;q=0.9,text/plain;q=0.9,application/json;q=0.8,text/*;q=0.5',
  'accept-encoding': 'gzip, deflate, br',
};

/** Fetches one page with at most three redirects, each checked by the guard like the first URL. */
export async function fetchPage(outbound: AgentOutbound, fetching: Fetching): Promise<Fetched> {
  const { url, timeouts } = fetching;
  const until = performance.now() + timeouts.totalMs;
  let at = url;
  let received = 0;
  for (let hop = 0; hop <= REDIRECTS_MAX; hop++) {
    const leftMs = Math.ceil(until - performance.now());
    if (leftMs <= 0)
      return { status: 'error', reason: `it took longer than ${timeouts.totalMs / 1000} s`, received };
    const response = await send(outbound, { ...fetching, url: at }, leftMs);
    if ('reason' in response) return { ...response, received };
    received += response.body.length;
    const { location } = response.headers;
    if (response.status < 300 || response.status >= 400 || location === undefined) {
      return { ...(await classify(at, response)), received };
    }
    if (!URL.canParse(location, at))
      return { status: 'error', reason: 'it redirects without an address', received };
    const next = new URL(location, at);
    next.hash = '';
    at = next.toString();
  }
  return { status: 'error', reason: `it redirected more than ${REDIRECTS_MAX} times`, received };
}

type Unread = { status: 'rate_limited' | 'blocked' | 'error'; reason: string };

async function send(
  outbound: AgentOutbound,
  { url, trusted, timeouts, signal }: Fetching,
  leftMs: number,
): Promise<OutboundResponse | Unread> {
  try {
    return await outbound.request({
      url,
      trusted,
      method: 'GET',
      headers: HEADERS,
      timeoutMs: Math.min(timeouts.headersMs, leftMs),
      bodyTimeoutMs: Math.min(timeouts.bodyMs, leftMs),
      bodyBytesMax: bytesMaxOf,
      signal,
    });
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof OutboundError)) throw error;
    const isRefused = error.kind === 'address_refused' || error.kind === 'url_refused';
    return {
      status: isRefused ? 'blocked' : 'error',
      reason: `${isRefused ? 'the address ' : ''}${error.message}`,
    };
  }
}

type ClassifiedPage =
  { status: 'ok'; url: string; bytes: Buffer; kind: DocumentKind; charset?: string } | Unread;

async function classify(url: string, response: OutboundResponse): Promise<ClassifiedPage> {
  const { status, headers } = response;
  if (status === 429 || status === 503) return { status: 'rate_limited', reason: `it answered ${status}` };
  if (status === 401 || status === 403 || status === 451)
    return { status: 'blocked', reason: `it answered ${status}` };
  if (status !== 200) return { status: 'error', reason: `it answered ${status}` };
  const kind = kindOf(headers['content-type'] ?? '');
  if (kind === undefined)
    return { status: 'error', reason: `its content type is ${headers['content-type'] ?? 'missing'}` };
  const bytes = await decompress(response, bytesMaxOf(headers));
  if (typeof bytes === 'string') return { status: 'error', reason: bytes };
  const charset = /charset\s*=\s*"?([\w-]+)/i.exec(headers['content-type'] ?? '')?.[1];
  return { status: 'ok', url, bytes, kind, ...(charset !== undefined && { charset }) };
}

function kindOf(contentType: string): DocumentKind | undefined {
  const type = contentType.split(';')[0]?.trim().toLowerCase() ?? '';
  if (type === 'text/html' || type === 'application/xhtml+xml') return 'html';
  if (type === 'application/pdf') return 'pdf';
  if (type === 'application/json' || type.endsWith('+json')) return 'code';
  return type.startsWith('text/') && type !== 'text/css' ? 'text' : undefined;
}

const bytesMaxOf = (headers: IncomingHttpHeaders): number =>
  kindOf(headers['content-type'] ?? '') === 'pdf' ? PDF_BYTES_MAX : TEXT_BYTES_MAX;

const UNPACK: Record<string, (body: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>> = {
  gzip: promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
};

/** Too much plain text is cut; too much decompressed text is rejected, since it may be a decompression bomb. */
async function decompress(
  { headers, body, isComplete }: OutboundResponse,
  bytesMax: number,
): Promise<Buffer | string> {
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  if (!isComplete && body.length < bytesMax) return 'the download was too slow or was interrupted';
  if (encoding === 'identity' || encoding === '') return body;
  if (!isComplete) return 'it is too large once decompressed';
  const unpack = UNPACK[encoding];
  if (unpack === undefined) return `its encoding is not supported: ${encoding.slice(0, 20)}`;
  try {
    return await unpack(body, { maxOutputLength: bytesMax });
  } catch (error) {
    const isTooLong = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
    return isTooLong ? 'it is too large once decompressed' : 'it cannot be decompressed';
  }
}
