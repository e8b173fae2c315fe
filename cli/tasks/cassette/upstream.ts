import { randomBytes } from 'node:crypto';
import { Failure } from '../../../src/base/errors.ts';
import type { Upstream } from '../../../src/client/testing/cassette/forward.ts';
import { readProxySettings } from '../../../src/config/proxy-settings.ts';
import { namedServer, ownServer } from '../../client/target.ts';
import type { Context } from '../../context.ts';

/** Another provider, which gets what its clients send, or an askd server, which gets the key of the command line. */
export async function upstreamOf(context: Context, address: string | undefined): Promise<Upstream> {
  const { environment, options, paths } = context;
  if (address !== undefined)
    return { baseUrl: parseAddress(address), proxy: readProxySettings(environment.env) };
  const request = { kind: 'inference', environment, host: options.host } as const;
  const named = await namedServer(request, context);
  const target = named ?? ownServer(request, paths, await requireOwn(context));
  const { url, token, certificate } = target;
  return {
    baseUrl: `${url}/v1`,
    ...(certificate !== undefined && { certificate }),
    // The program gets a key that only works with this recorder, and ends with it.
    ...(token !== undefined && { key: { from: `record-${randomBytes(16).toString('hex')}`, to: token } }),
  };
}

async function requireOwn(context: Context) {
  const { requireDaemon } = await import('../../daemon-control/start.ts');
  return (await requireDaemon(context)).presence;
}

function parseAddress(address: string): string {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url.origin + url.pathname;
  throw new Failure('invalid_value', `"${address}" is not an address such as https://api.openai.com/v1.`);
}
