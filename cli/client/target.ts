import type { Environment } from '../../src/config/config.ts';
import { Failure } from '../../src/base/errors.ts';
import type { Paths } from '../../src/base/paths.ts';
import { baseUrls, readPresence, type Presence } from '../../src/base/presence.ts';
import { readRootToken } from '../../src/base/secrets.ts';
import { addressOf, certificateOf, findDaemon } from '../daemon-control/process.ts';
import type { Target } from '../../src/api/http/http.ts';
import type { CliEnvironment } from '../environment.ts';

/** `inference` accepts an API key; `control` needs the owner. */
export type TargetKind = 'inference' | 'control';

type TargetOptions = {
  kind: TargetKind;
  host?: string | undefined;
  account?: string | undefined;
  environment: Environment;
};
type Home = Pick<CliEnvironment, 'paths' | 'signal'>;

/** The server named by flags or environment; undefined for this machine's own daemon. */
export async function namedServer(
  { kind, host, account, environment }: TargetOptions,
  home: Home,
): Promise<Target | undefined> {
  const address = host ?? (kind === 'inference' ? environment.baseUrl : undefined);
  if (!address) return undefined;
  const url = serverRoot(address);
  const own = await ownDaemonAt(url, home);
  const ownToken = environment.apiKey ?? (own && readRootToken(home.paths.rootToken));
  const token = ownToken ?? (await keptApiKey(home.paths));
  return { url, remote: true, ...(token && { token }), ...(account && { account }), ...certificateOf(own) };
}

/** The API key from the environment is used for inference; everything else uses the root token. */
export function ownServer(
  { kind, account, environment }: TargetOptions,
  paths: Paths,
  presence: Presence,
): Target {
  const apiKey = kind === 'inference' ? environment.apiKey : undefined;
  const token = apiKey || readRootToken(paths.rootToken);
  return { ...addressOf(presence), ...(token && { token }), ...(account && { account }) };
}

/** The key for other servers that `askd secrets set api_key` stores. */
async function keptApiKey(paths: Paths): Promise<string | undefined> {
  const { openSecrets } = await import('../../src/config/secrets/secrets.ts');
  const secrets = openSecrets(paths);
  if (!('api_key' in secrets.places())) return undefined;
  const { values, unreadable } = await secrets.read();
  if (values['api_key'] !== undefined || unreadable === undefined) return values['api_key'];
  throw new Failure('keyring_unavailable', `The keyring with api_key cannot be used: ${unreadable.reason}.`, {
    details: { fix: 'unlock it, or give the key in ASKD_API_KEY or --key-file' },
  });
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
