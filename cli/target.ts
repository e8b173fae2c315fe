import type { Environment } from '../src/config.ts';
import { Failure } from '../src/errors.ts';
import type { Paths } from '../src/paths.ts';
import { baseUrls, readPresence, type Presence } from '../src/presence.ts';
import { readRootToken } from '../src/secrets.ts';
import type { Target } from './http.ts';

/** `inference` is what an API key is for; `control` is the owner's. */
export type TargetKind = 'inference' | 'control';

type Wish = { kind: TargetKind; host?: string | undefined; environment: Environment };

/** The server that flags or environment name, or nothing when it is this machine's own daemon. */
export function namedServer({ kind, host, environment }: Wish, paths: Paths): Target | undefined {
  const address = host ?? (kind === 'inference' ? environment.baseUrl : undefined);
  if (!address) return undefined;
  const url = serverRoot(address);
  const own = ownDaemonAt(url, paths);
  const token = environment.apiKey ?? (own && readRootToken(paths.rootToken));
  return { url, remote: true, ...(token && { token }), ...certificateOf(own) };
}

/** The key of the environment counts for inference; all else is done with the owner's token. */
export function ownServer({ kind, environment }: Wish, paths: Paths, presence: Presence): Target {
  const apiKey = kind === 'inference' ? environment.apiKey : undefined;
  const token = apiKey || readRootToken(paths.rootToken);
  return { ...addressOf(presence), ...(token && { token }) };
}

/** The way to the daemon of this home, without a token. */
export function addressOf(presence: Presence): Target {
  return { url: baseUrls(presence).management_url, remote: false, ...certificateOf(presence) };
}

function certificateOf(presence: Presence | undefined): Pick<Target, 'certificate'> {
  return presence?.certificate === undefined ? {} : { certificate: presence.certificate };
}

/** Accepts both addresses that `askd up` prints: with and without `/v1`. */
export function serverRoot(address: string): string {
  const text = /^[a-z]+:\/\//i.test(address) ? address : `http://${address}`;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw new Failure('invalid_value', `"${address}" is not an address such as http://127.0.0.1:11535.`);
  }
  return url.origin + url.pathname.replace(/\/+$/, '').replace(/\/v1$/, '');
}

/** The root token must not leave for any address but the daemon's own. */
function ownDaemonAt(url: string, paths: Paths): Presence | undefined {
  const presence = readPresence(paths.presence);
  return presence && baseUrls(presence).management_url === url ? presence : undefined;
}
