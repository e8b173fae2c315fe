import type { FastifyRequest } from 'fastify';
import { isIP } from 'node:net';
import type { Keys, Principal } from '../src/access/keys.ts';
import { requireScope } from '../src/access/scopes.ts';
import type { Access } from '../src/api/endpoint.ts';
import { Failure } from '../src/errors.ts';
import { ACCOUNT_ID } from './account.ts';
import { looksLikeRootToken, sameSecret } from '../src/secrets.ts';

/** Every request passes here first. A page in a browser must not reach the daemon by a name that points to it. */
export function checkHost(request: FastifyRequest): void {
  const local = request.socket.localAddress ?? '';
  const host = request.headers.host ?? '';
  if (allowedHosts(local, request.socket.localPort ?? 0).includes(host.toLowerCase())) return;
  throw new Failure(
    'host_not_allowed',
    `The Host header ${JSON.stringify(host)} is not one of this server. Use http://127.0.0.1:${request.socket.localPort}`,
  );
}

function allowedHosts(localAddress: string, port: number): string[] {
  const address = localAddress.replace(/^::ffff:/, '');
  const names = isLoopback(address)
    ? ['localhost', '127.0.0.1', '[::1]']
    : [isIP(address) === 6 ? `[${address}]` : address];
  return names.flatMap((name) => (port === 80 ? [name, `${name}:80`] : [`${name}:${port}`]));
}

function isLoopback(address: string): boolean {
  return address === '::1' || address.startsWith('127.');
}

/** No other web origin may talk to the daemon; programs send no Origin. */
export function checkOrigin(request: FastifyRequest): void {
  const { origin, host } = request.headers;
  if (origin === undefined || origin === `http://${host}`) return;
  throw new Failure('origin_not_allowed', `Web pages of ${JSON.stringify(origin)} may not use this server.`);
}

export type Door = ReturnType<typeof createDoor>;

/** Decides who is asking, from the credential alone, and whether they may. */
export function createDoor({ keys, rootToken }: { keys: Keys; rootToken: string }) {
  const owner: Principal = { accountId: ACCOUNT_ID, keyId: null, scopes: ['admin'] };
  const anyone: Principal = { accountId: ACCOUNT_ID, keyId: null, scopes: [] };

  function authenticate(request: FastifyRequest): Principal | undefined {
    const token = bearerToken(request);
    if (token === undefined) return undefined;
    if (!looksLikeRootToken(token)) return keys.verify(token);
    refuseBrowsers(request);
    if (sameSecret(token, rootToken)) return owner;
    throw new Failure(
      'not_authenticated',
      'This root token is not valid here. Is ASKD_HOME the home of this daemon?',
    );
  }

  return {
    admit(request: FastifyRequest, access: Access): Principal {
      const principal = authenticate(request);
      if (access === 'public') return principal ?? anyone;
      if (!principal) throw noCredential(access);
      if (access === 'management') {
        if (principal !== owner) throw keysDoNotManage();
      } else {
        requireScope(principal.scopes, access === 'control' ? 'admin' : access);
      }
      return principal;
    },
  };
}

function bearerToken(request: FastifyRequest): string | undefined {
  const header = request.headers.authorization;
  if (header === undefined) return undefined;
  const token = /^Bearer +(\S+)$/i.exec(header)?.[1];
  if (token !== undefined) return token;
  throw new Failure('invalid_api_key', 'The Authorization header must be: Bearer API_KEY');
}

/** The root token is for the command line: a browser that has it was handed it by somebody else. */
function refuseBrowsers(request: FastifyRequest): void {
  const fromBrowser = Object.keys(request.headers).some(
    (name) => name === 'origin' || name.startsWith('sec-fetch-'),
  );
  if (fromBrowser) throw new Failure('origin_not_allowed', 'The root token is not accepted from a browser.');
}

function noCredential(access: Access): Failure {
  if (access === 'management') {
    return new Failure(
      'not_authenticated',
      'This route needs a dashboard session or the command line: askd keys --help',
    );
  }
  return new Failure(
    'invalid_api_key',
    'No API key was given. Send the header "Authorization: Bearer API_KEY"; create a key: askd keys create --name NAME',
  );
}

function keysDoNotManage(): Failure {
  return new Failure(
    'not_authenticated',
    'API keys do not open management routes. Use the command line: askd keys --help',
  );
}
