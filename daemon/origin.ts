import type { X509Certificate } from 'node:crypto';
import { isIP, type Socket } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { Failure } from '../src/errors.ts';

/** Every request passes here first. A page in a browser must not reach the daemon by a name that points to it. */
export function checkHost(request: FastifyRequest, certificate?: X509Certificate): void {
  const allowed = allowedHosts(request.socket);
  const refused = hostsOf(request).find(
    (host) => !allowed.includes(host.toLowerCase()) && !isNamedBy(certificate, host),
  );
  if (refused === undefined) return;
  const { localPort = 0 } = request.socket;
  throw new Failure(
    'host_not_allowed',
    `The Host ${JSON.stringify(refused)} is not one of this server. Use ${request.protocol}://127.0.0.1:${localPort}`,
  );
}

/** A page of another name cannot come by this one: its certificate would have to have that name too. */
function isNamedBy(certificate: X509Certificate | undefined, host: string): boolean {
  const name = host.replace(/:\d+$/, '').replace(/^\[|\]$/g, '');
  if (certificate === undefined || name === '') return false;
  return (isIP(name) ? certificate.checkIP(name) : certificate.checkHost(name)) !== undefined;
}

/** A request line may carry a whole address, as for a proxy, and then its host counts too. */
function hostsOf({ headers, raw }: FastifyRequest): string[] {
  const host = headers.host ?? '';
  if (raw.url?.startsWith('/')) return [host];
  const inTarget = /^[a-z]+:\/\/([^/?#]*)/i.exec(raw.url ?? '')?.[1];
  return inTarget === undefined ? [host] : [host, inTarget];
}

/** A connection carries many requests, and its two ends stay what they are. */
const known = new WeakMap<Socket, string[]>();

function allowedHosts(socket: Socket): string[] {
  const hosts = known.get(socket);
  if (hosts) return hosts;
  const found = hostsFor(socket.localAddress ?? '', socket.localPort ?? 0);
  known.set(socket, found);
  return found;
}

function hostsFor(localAddress: string, port: number): string[] {
  const address = localAddress.replace(/^::ffff:/, '');
  const names = isLoopback(address)
    ? ['localhost', '127.0.0.1', '[::1]']
    : [isIP(address) === 6 ? `[${address}]` : address];
  return names.flatMap((name) =>
    port === 80 || port === 443 ? [name, `${name}:${port}`] : [`${name}:${port}`],
  );
}

function isLoopback(address: string): boolean {
  return address === '::1' || address.startsWith('127.');
}

/** No other web origin may talk to the daemon; programs send no Origin. */
export function checkOrigin(request: FastifyRequest): void {
  const { origin } = request.headers;
  if (origin === undefined || origin === ownOrigin(request)) return;
  throw new Failure('origin_not_allowed', `Web pages of ${JSON.stringify(origin)} may not use this server.`);
}

/**
 * A browser sends a cookie for every page that asks, and a page of another port on this machine counts as the same
 * site. So what a cookie opens is for the daemon's own pages: by Fetch Metadata, or by the Origin where there is none.
 */
export function requireOwnPage(request: FastifyRequest, { mayLackBoth }: { mayLackBoth: boolean }): void {
  const site = request.headers['sec-fetch-site'];
  const isOwn =
    site === undefined
      ? request.headers.origin === ownOrigin(request) || (request.headers.origin === undefined && mayLackBoth)
      : site === 'same-origin' || (site === 'none' && isRead(request));
  if (isOwn) return;
  throw new Failure('origin_not_allowed', 'This needs a page of the daemon itself. Open one: askd dashboard');
}

/** The token of a form can be sent by any page; a JSON body needs leave that the daemon never gives. */
export function requireJson({ headers }: FastifyRequest): void {
  const type = headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
  if (type === 'application/json' || (type === undefined && !hasBody)) return;
  throw new Failure(
    'unsupported_media_type',
    'With a dashboard session, send Content-Type: application/json.',
  );
}

export function isRead({ method }: FastifyRequest): boolean {
  return method === 'GET' || method === 'HEAD';
}

function ownOrigin(request: FastifyRequest): string {
  return `${request.protocol}://${request.headers.host}`;
}
