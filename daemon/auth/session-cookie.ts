import { parseCookie, stringifySetCookie } from 'cookie';
import type { FastifyRequest } from 'fastify';
import { SESSION_IDLE_MS_MAX } from '../../src/access/sessions.ts';

/** Browsers share cookies between the ports of a machine, so two daemons need two names. */
export function cookieName({ port, secure }: { port: number; secure: boolean }): string {
  return secure ? '__Host-askd_session' : `askd_session_${port}`;
}

export function readSessionCookie(request: FastifyRequest): string | undefined {
  const { cookie } = request.headers;
  return cookie === undefined ? undefined : parseCookie(cookie)[cookieName(placeOf(request))];
}

/** The Set-Cookie header of a session. */
export function sessionCookie(request: FastifyRequest, token: string): string {
  return serialize(request, token, SESSION_IDLE_MS_MAX / 1000);
}

/** The Set-Cookie header that ends it. */
export function endedCookie(request: FastifyRequest): string {
  return serialize(request, '', 0);
}

function serialize(request: FastifyRequest, value: string, maxAge: number): string {
  const place = placeOf(request);
  const { secure } = place;
  return stringifySetCookie({
    name: cookieName(place),
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
