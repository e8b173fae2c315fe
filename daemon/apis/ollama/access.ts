import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import type { Keys, NamedPrincipal, Principal } from '../../../src/access/keys.ts';
import type { Access } from '../../../src/api/endpoint.ts';
import type { Settings } from '../../../src/config/config.ts';
import { Failure } from '../../../src/base/errors.ts';
import { ACCOUNT_ID } from '../../auth/account.ts';
import { bearerToken, type Authenticator } from '../../auth/authenticate.ts';
import { isFromThisMachine } from '../../auth/local-program.ts';

/** The API key of keyless requests. It is like any other, except that nobody knows its secret. */
export const KEYLESS_NAME = 'ollama';
const KEYLESS_SCOPES: readonly string[] = ['chat', 'read'];

type Parts = { authenticator: Authenticator; keys: Keys; settings: Pick<Settings, 'ollamaApi'> };

/** Ollama's clients send no key, so once the owner allows it, programs on this machine need none here. */
export function createOllamaAuthenticator({ authenticator, keys, settings }: Parts): Authenticator {
  return {
    admit(request: FastifyRequest, access: Access): Principal {
      if (!settings.ollamaApi) throw isOff(request);
      if (hasKey(request) || !isLocalProgram(request)) return authenticator.admit(request, access);
      const principal = keylessOf(keys);
      if (!allows(principal, access)) throw needsAdmin(principal);
      return principal;
    },
  };
}

const throughListener = new WeakSet<IncomingMessage>();

/** Marks requests of the Ollama listener. */
export function markListener(request: IncomingMessage): void {
  throughListener.add(request);
}

/**
 * On that port clients may use the other APIs too, without a key or with the placeholder from Ollama's documentation.
 */
export function createListenerAuthenticator({
  authenticator,
  keys,
}: Pick<Parts, 'authenticator' | 'keys'>): Authenticator {
  return {
    admit(request: FastifyRequest, access: Access): Principal {
      const needsKey = !throughListener.has(request.raw) || !KEYLESS_SCOPES.includes(access);
      if (needsKey || hasKey(request) || !isLocalProgram(request))
        return authenticator.admit(request, access);
      return keylessOf(keys);
    },
  };
}

function hasKey(request: FastifyRequest): boolean {
  const token = bearerToken(request);
  return token !== undefined && token !== KEYLESS_NAME;
}

function keylessOf(keys: Keys): NamedPrincipal {
  const principal = keys.named({ accountId: ACCOUNT_ID, name: KEYLESS_NAME, scopes: KEYLESS_SCOPES });
  if (principal === undefined) throw isRevoked();
  return principal;
}

/**
 * Requests with a disallowed Origin were already rejected; a browser that sends none is loading something for another
 * site's page.
 */
function isLocalProgram(request: FastifyRequest): boolean {
  if (!isFromThisMachine(request)) return false;
  const { headers } = request;
  const site = headers['sec-fetch-site'];
  return headers.origin !== undefined || site === undefined || site === 'same-origin' || site === 'none';
}

function allows({ scopes }: Principal, access: Access): boolean {
  return scopes.includes('admin') || scopes.includes(access);
}

function isOff({ method, url }: FastifyRequest): Failure {
  return new Failure(
    'not_found',
    `${method} ${url.split('?')[0] ?? ''} belongs to Ollama's API, which is off. ` +
      'Turn it on: askd config set ollama_api on && askd restart',
  );
}

function isRevoked(): Failure {
  return new Failure(
    'invalid_api_key',
    `The key "${KEYLESS_NAME}", which requests without a key run under, was revoked or has expired. ` +
      `Send an API key, or create that one again: askd keys create --name ${KEYLESS_NAME}`,
  );
}

function needsAdmin({ prefix }: NamedPrincipal): Failure {
  return new Failure(
    'insufficient_scope',
    'Without a key, models can be used but not changed. Send an API key with the scope "admin", use askd pull, askd cp or ' +
      `askd rm, or allow it to every program of this machine: askd keys update ${prefix} --scopes chat,read,admin`,
    { details: { needed_scope: 'admin' } },
  );
}
