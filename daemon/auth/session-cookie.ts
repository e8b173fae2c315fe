import { parseCookie, stringifySetCookie } from 'cookie';
import type { FastifyRequest } from 'fastify';
import { SESSION_IDLE_MS_MAX } from '../../src/access/sessions.ts';

type Purpose = 'session' | 'login';

/** Browsers share cookies between the ports of a machine, so two daemons need different names. */
export function cookieName(
  { port, secure }: { port: number; secure: boolean },
  purpose: Purpose = 'session',
): string {
  return secure ? `__Host-askd_${purpose}` : `askd_${purpose}_${port}`;
}

export const readSessionCookie = (request: FastifyRequest) => read(request, 'session');

/** The Set-Cookie header of a session. */
export function sessionCookie(request: FastifyRequest, token: string): string {
  return serialize(request, { purpose: 'session', value: token, maxAge: SESSION_IDLE_MS_MAX / 1000 });
}

/** The Set-Cookie header that ends it. */
export function endedCookie(request: FastifyRequest): string {
  return serialize(request, { purpose: 'session', value: '', maxAge: 0 });
}

/** Identifies the browser that started a login at the provider. */
export const readLoginCookie = (request: FastifyRequest) => read(request, 'login');

export function loginCookie(request: FastifyRequest, value: string, lifetimeMs: number): string {
  return serialize(request, { purpose: 'login', value, maxAge: lifetimeMs / 1000 });
}

function read(request: FastifyRequest, purpose: Purpose): string | undefined {
  const { cookie } = request.headers;
  return cookie === undefined ? undefined : parseCookie(cookie)[cookieName(placeOf(request), purpose)];
}

function serialize(
  request: FastifyRequest,
  { purpose, value, maxAge }: { purpose: Purpose; value: string; maxAge: number },
): string {
  const place = placeOf(request);
  const { secure } = place;
  return stringifySetCookie({
    name: cookieName(place, purpose),
    value,
    path: '/',
    httpOnly: true,
    sameSite: 'strict',
    secure,
    maxAge,
  });
}

function placeOf(request: FastifyRequest): { port: number; secure: boolean } {
  return { port: request.socket.localPort ?? 0, secure: request.protocol === 'https' };
}
