import type { FastifyReply, FastifyRequest } from 'fastify';
import { isAllowedOrigin } from '../../src/config/allowed-clients.ts';
import { RUN_HEADER } from '../../src/api/tasks/agent.ts';
import { SESSION_HEADER } from '../../src/api/tasks/mcp.ts';
import type { Access } from '../../src/api/endpoint.ts';
import { Failure } from '../../src/base/errors.ts';
import { endpointsAt } from './known-routes.ts';
import { isRead, originNotAllowed, ownOrigin } from '../auth/origin-guard.ts';

/** Routes that an API key opens. All others are for the daemon's own pages and the command line. */
const OPEN: readonly Access[] = ['public', 'chat', 'read', 'write'];
/** Chromium caches a preflight no longer than this. */
const PREFLIGHT_SECONDS = 7200;
/** In addition to those that every script may read. */
const EXPOSED = [
  'x-request-id',
  'x-processing-time-ms',
  'x-askd-ignored',
  'x-askd-simulated',
  RUN_HEADER,
  SESSION_HEADER,
  'x-ratelimit-limit-rpm',
  'x-ratelimit-remaining-rpm',
  'x-ratelimit-limit-tpm',
  'x-ratelimit-remaining-tpm',
  'retry-after',
  'x-should-retry',
  'idempotent-replayed',
].join(', ');

type Answering = { request: FastifyRequest; reply: FastifyReply; allowed: readonly string[] };

/**
 * Rejects pages of origins that the owner did not allow; programs send no Origin. True for a preflight, which is
 * answered here. Cookies never count: there is no Access-Control-Allow-Credentials.
 */
export function answerCors({ request, reply, allowed }: Answering): boolean {
  const { origin } = request.headers;
  // A cache must not serve an answer without these headers to a page that needs them.
  if (allowed.length > 0) void reply.header('vary', 'Origin');
  if (origin === undefined || origin === ownOrigin(request)) return false;
  if (!isAllowedOrigin(allowed, origin)) throw originNotAllowed(origin);
  const isPreflight = isPreflightRequest(request);
  if (!isOpen(request, isPreflight)) throw onlyOwnPages(origin);
  void reply.header('access-control-allow-origin', origin);
  if (isPreflight) answerPreflight(request, reply);
  else void reply.header('access-control-expose-headers', EXPOSED);
  return isPreflight;
}

function isPreflightRequest({ method, headers }: FastifyRequest): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
}

/** A page may also read that there is no such route. */
function isOpen(request: FastifyRequest, isPreflight: boolean): boolean {
  const { url, headers } = request;
  const method = headers['access-control-request-method'];
  const access = isPreflight
    ? endpointsAt(url).find((endpoint) => endpoint.method === method)?.access
    : request.routeOptions.config.access;
  if (access === undefined) return url.startsWith('/v1/');
  const changes = isPreflight ? method !== 'GET' : !isRead(request);
  if (access === 'public' && changes && url.startsWith('/api/')) return false;
  return OPEN.includes(access);
}

function answerPreflight({ headers }: FastifyRequest, reply: FastifyReply): void {
  const wanted = headers['access-control-request-headers'];
  if (wanted !== undefined) void reply.header('access-control-allow-headers', wanted);
  if (headers['access-control-request-private-network'] === 'true') {
    void reply.header('access-control-allow-private-network', 'true');
  }
  void reply
    .header('access-control-allow-methods', 'GET, HEAD, POST, PUT, PATCH, DELETE')
    .header('access-control-max-age', PREFLIGHT_SECONDS)
    .status(204)
    .send();
}

function onlyOwnPages(origin: string): Failure {
  const message = `Pages of ${JSON.stringify(origin)} may only use routes that accept an API key.`;
  return new Failure('origin_not_allowed', message);
}

declare module 'fastify' {
  // eslint-disable-next-line @typescript-eslint/consistent-type-definitions -- only an interface can be augmented
  interface FastifyContextConfig {
    access?: Access;
  }
}
