import type { X509Certificate } from 'node:crypto';
import { isIP, type Socket } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { isAllowedHost, ORIGIN, parseHost, parseOrigin } from '../../src/config/allowed-clients.ts';
import { Failure } from '../../src/base/errors.ts';

/** Names under which the daemon may be reached, besides the address that it listens on. */
export type OtherNames = { certificate?: X509Certificate | undefined; allowed: readonly string[] };

/**
 * Guards against DNS rebinding: every request passes here first, so a web page cannot reach the daemon through a name
 * of its own that points to it.
 */
export function checkHost(request: FastifyRequest, { certificate, allowed }: OtherNames): void {
  const own = ownHosts(request.socket);
  const refused = hostsOf(request).find(
    (host) =>
      !own.includes(host.toLowerCase()) && !isNamedBy(certificate, host) && !isAllowedHost(allowed, host),
  );
  if (refused !== undefined) throw hostNotAllowed(request, refused);
}

function hostNotAllowed({ socket, protocol }: FastifyRequest, host: string): Failure {
  const address = `${protocol}://127.0.0.1:${socket.localPort ?? 0}`;
  const name = parseHost(host)?.replace(/:\d+$/, '');
  const way =
    name === undefined
      ? `Use ${address}`
      : `Use ${address}, or allow this name if it is one of this machine's: ${allow('hosts', name)}`;
  return new Failure('host_not_allowed', `The host ${JSON.stringify(host)} is not allowed. ${way}`);
}

/** A page from another name cannot get here under this one: its certificate would need that name too. */
function isNamedBy(certificate: X509Certificate | undefined, host: string): boolean {
  const name = host.replace(/:\d+$/, '').replace(/^\[|\]$/g, '');
  if (certificate === undefined || name === '') return false;
  return (isIP(name) ? certificate.checkIP(name) : certificate.checkHost(name)) !== undefined;
}

/** A request line may contain an absolute URL, as for a proxy; its host counts too. */
function hostsOf({ headers, raw }: FastifyRequest): string[] {
  const host = headers.host ?? '';
  if (raw.url?.startsWith('/')) return [host];
  const inTarget = /^[a-z]+:\/\/([^/?#]*)/i.exec(raw.url ?? '')?.[1];
  return inTarget === undefined ? [host] : [host, inTarget];
}

/** A connection carries many requests, and its two ends do not change. */
const known = new WeakMap<Socket, string[]>();

function ownHosts(socket: Socket): string[] {
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

export function isLoopback(address: string): boolean {
  return address === '::1' || address.startsWith('127.');
}

export function originNotAllowed(origin: string): Failure {
  const known = parseOrigin(origin);
  const way =
    known === undefined ? ORIGIN.objection(origin) : `If you trust them: ${allow('origins', known)}`;
  const message = `Web pages of ${JSON.stringify(origin)} are not allowed to use this server. ${way ?? ''}`;
  return new Failure('origin_not_allowed', message.trimEnd());
}

/** The value was parsed, so it is safe to paste into a shell. */
function allow(what: 'origins' | 'hosts', value: string): string {
  return `askd config add allowed_${what} ${value} && askd restart`;
}

/**
 * A browser sends cookies for every page that asks, and a page on another port of this machine counts as the same
 * site. So a cookie only works for the daemon's own pages, recognised by Fetch Metadata, or by the Origin if there is
 * none.
 */
export function requireOwnPage(request: FastifyRequest, { mayLackBoth }: { mayLackBoth: boolean }): void {
  const site = request.headers['sec-fetch-site'];
  const isOwn =
    site === undefined
      ? request.headers.origin === ownOrigin(request) || (request.headers.origin === undefined && mayLackBoth)
      : site === 'same-origin' || (site === 'none' && isRead(request));
  if (isOwn) return;
  throw new Failure(
    'origin_not_allowed',
    "This route can only be used by the daemon's own pages: askd dashboard",
  );
}

/** Any page can submit a form; a JSON body requires a preflight, which is never granted here. */
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

export function ownOrigin(request: FastifyRequest): string {
  return `${request.protocol}://${request.headers.host}`;
}
