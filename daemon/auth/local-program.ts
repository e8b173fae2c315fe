import type { FastifyRequest } from 'fastify';
import { isLoopback } from './origin-guard.ts';

/** Headers of proxies: behind one, another machine looks like this one. */
const PROXY_HEADERS = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip'];

/** Whether the request comes from this machine and not through a proxy. It may come from a browser. */
export function isFromThisMachine({ socket, headers }: FastifyRequest): boolean {
  const address = (socket.remoteAddress ?? '').replace(/^::ffff:/, '');
  if (!isLoopback(address)) return false;
  return PROXY_HEADERS.every((name) => headers[name] === undefined);
}

/** Whether a browser sent it: every browser adds these headers. */
export function isFromBrowser({ headers }: FastifyRequest): boolean {
  return Object.keys(headers).some((name) => name === 'origin' || name.startsWith('sec-fetch-'));
}
