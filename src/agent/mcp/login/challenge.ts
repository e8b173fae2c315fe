import { extractWWWAuthenticateParams } from '@modelcontextprotocol/client';
import { connect } from '../connection.ts';
import type { ServerDefinition } from '../definition.ts';
import { loginNeeded } from './failures.ts';

const CALL_MS_MAX = 30_000;

/** What a server says when it refuses a request without a login. */
export type Challenge = { resourceMetadataUrl?: URL; scope?: string };

/** Asks the server without a token. Any other error shows when its login is discovered. */
export async function challengeOf(server: ServerDefinition): Promise<Challenge> {
  let challenge: Challenge = {};
  const authorization = {
    token: () => Promise.resolve(undefined),
    watched: (send: typeof fetch) => send,
    onUnauthorized({ response }: { response: Response }) {
      const { resourceMetadataUrl, scope } = extractWWWAuthenticateParams(response);
      challenge = {
        ...(resourceMetadataUrl && { resourceMetadataUrl }),
        ...(scope !== undefined && { scope }),
      };
      return Promise.reject(loginNeeded(server.name));
    },
    lacks: () => undefined,
  };
  const connection = await connect(server, { callMsMax: CALL_MS_MAX, authorization }).catch(() => undefined);
  await connection?.close();
  return challenge;
}
