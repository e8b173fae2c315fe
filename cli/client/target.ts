import type { Environment } from '../../src/config/config.ts';
import { Failure } from '../../src/base/errors.ts';
import type { Paths } from '../../src/base/paths.ts';
import { baseUrls, readPresence, type Presence } from '../../src/base/presence.ts';
import { readRootToken } from '../../src/base/secrets.ts';
import { addressOf, certificateOf, findDaemon } from '../daemon-control/process.ts';
import type { Target } from './http.ts';
import type { CliEnvironment } from '../environment.ts';

/** `inference` accepts an API key; `control` needs the owner. */
export type TargetKind = 'inference' | 'control';

type TargetOptions = { kind: TargetKind; host?: string | undefined; environment: Environment };
type Home = Pick<CliEnvironment, 'paths' | 'signal'>;

/** The server named by flags or environment; undefined for this machine's own daemon. */
export async function namedServer(
  { kind, host, environment }: TargetOptions,
  home: Home,
): Promise<Target | undefined> {
  const address = host ?? (kind === 'inference' ? environment.baseUrl : undefined);
  if (!address) return undefined;
  const url = serverRoot(address);
  const own = await ownDaemonAt(url, home);
  const token = environment.apiKey ?? (own && readRootToken(home.paths.rootToken));
  return { url, remote: true, ...(token && { token }), ...certificateOf(own) };
}

/** The API key of the environment is used for inference; everything else uses the root token. */
export function ownServer({ kind, environment }: TargetOptions, paths: Paths, presence: Presence): Target {
  const apiKey = kind === 'inference' ? environment.apiKey : undefined;
  const token = apiKey || readRootToken(paths.rootToken);
  return { ...addressOf(presence), ...(token && { token }) };
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

/** The root token must not be sent to any address but the daemon's own. */
async function ownDaemonAt(url: string, home: Home): Promise<Presence | undefined> {
  const presence = readPresence(home.paths.presence);
  if (presence === undefined || baseUrls(presence).management_url !== url) return undefined;
  return findDaemon(home);
}
