import type { FastifyRequest } from 'fastify';
import { isLoopback } from './origin-guard.ts';

/** Headers of proxies: behind one, another machine looks like this one. */
const PROXY_HEADERS = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip'];

/** Whether the request comes from this machine and through no proxy. It may be a browser's. */
export function isFromThisMachine({ socket, headers }: FastifyRequest): boolean {
  const address = (socket.remoteAddress ?? '').replace(/^::ffff:/, '');
  if (!isLoopback(address)) return false;
  return PROXY_HEADERS.every((name) => headers[name] === undefined);
}

/** Whether a browser sent it: every one of them adds these. */
export function isFromBrowser({ headers }: FastifyRequest): boolean {
  return Object.keys(headers).some((name) => name === 'origin' || name.startsWith('sec-fetch-'));
}
