import fastifyCookie from '@fastify/cookie';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { SESSION_IDLE_MS_MAX } from '../src/access/sessions.ts';

/** Cookies are read and written where they count, and by no hook on every request. */
export function addCookies(app: FastifyInstance): void {
  void app.register(fastifyCookie, { hook: false });
}

/** Browsers share cookies between the ports of a machine, so two daemons need two names. */
export function cookieName({ port, secure }: { port: number; secure: boolean }): string {
  return secure ? '__Host-askd_session' : `askd_session_${port}`;
}

export function readSessionCookie(request: FastifyRequest): string | undefined {
  const { cookie } = request.headers;
  return cookie === undefined ? undefined : request.server.parseCookie(cookie)[cookieName(placeOf(request))];
}

/** What a browser is told to keep. */
export function sessionCookie(request: FastifyRequest, token: string): string {
  return serialize(request, token, SESSION_IDLE_MS_MAX / 1000);
}

/** What makes a browser forget it. */
export function endedCookie(request: FastifyRequest): string {
  return serialize(request, '', 0);
}

function serialize(request: FastifyRequest, value: string, maxAge: number): string {
  const place = placeOf(request);
  const { secure } = place;
  return request.server.serializeCookie(cookieName(place), value, {
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
