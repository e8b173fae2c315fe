import { isIP } from 'node:net';
import { canonicalAddress, classifyAddress, createAllowList } from './addresses.ts';
import { OutboundError } from './outbound-error.ts';
import { createResolve, type Resolve } from './resolve.ts';

export type Guard = ReturnType<typeof createGuard>;

export type GuardOptions = {
  /** Private networks that may be reached anyway. */
  allowCidrs?: readonly string[];
  /** The port of this daemon: never a destination, even on an allowed network. */
  ownPort?: () => number;
  resolve?: Resolve;
};

export type Passage = {
  /** Whether public hosts may be reached without TLS. Hosts in the allow-list always may. */
  plainHttp?: boolean;
  /** Opens 127.0.0.1 at this one port, for a receiver that the owner has just started. */
  loopbackPort?: number;
};

const URL_LENGTH_MAX = 2048;

/** Parsers disagree about where the host ends in such a URL. */
const SPELT_FOR_CONFUSION = /[\\\s]/;

/** Names that mean something else on every network. */
const LOCAL_ZONES =
  /(^|\.)(localhost|local|localdomain|internal|intranet|lan|home|corp|private|home\.arpa|test|invalid|onion)$/;

/**
 * Decides which addresses may be reached. Checking a URL gives early errors; the protection is the check at
 * connection time.
 */
export function createGuard({ allowCidrs = [], ownPort, resolve = createResolve() }: GuardOptions) {
  const isAllowed = createAllowList(allowCidrs);

  /** The URL, if it is allowed at all. Does no lookup. */
  function parseUrl(text: string, passage: Passage = {}): URL {
    if (text.length > URL_LENGTH_MAX) refuse(`is longer than ${URL_LENGTH_MAX} characters`);
    if (SPELT_FOR_CONFUSION.test(text)) refuse('contains a backslash or white space');
    if (!URL.canParse(text)) refuse('is not a URL');
    const url = new URL(text);
    if (url.protocol !== 'https:' && url.protocol !== 'http:') refuse('does not start with https://');
    if (url.username !== '' || url.password !== '') refuse('contains a user name or password');
    if (url.hash !== '' || text.endsWith('#')) refuse('has a fragment (#…)');
    if (!isSafePort(url)) refuse(`uses port ${url.port}; only 80, 443 and ports from 1024 are allowed`);
    if (allowCidrs.length === 0 && passage.loopbackPort === undefined) refuseNeedy(url, passage);
    return url;
  }

  /** The addresses of a URL's host. Each is checked, and a single bad one rejects all. */
  async function addressesOf(url: URL, passage: Passage = {}): Promise<string[]> {
    const host = hostOf(url);
    const addresses = isIP(host) ? [host] : await resolve(host);
    if (addresses.length === 0) throw new OutboundError('dns_not_found', 'the host name has no address');
    for (const address of addresses) checkAddress(address, url, passage);
    return addresses;
  }

  function checkAddress(address: string, url: URL, passage: Passage): void {
    const port = portOf(url);
    if (address === '127.0.0.1' && passage.loopbackPort === port && port !== ownPort?.()) return;
    if (isAllowed(address)) {
      if (port !== ownPort?.()) return;
      throw new OutboundError('address_refused', 'resolves to this server itself');
    }
    if (classifyAddress(address) !== 'public') {
      throw new OutboundError('address_refused', 'resolves to a private, local or reserved address');
    }
    refuseNeedy(url, passage);
  }

  return {
    parseUrl,
    addressesOf,
    /** Validates a URL when it is entered: rejects what is certainly wrong. Names may fail to resolve while offline. */
    async check(text: string, passage: Passage = {}): Promise<URL> {
      const url = parseUrl(text, passage);
      try {
        await addressesOf(url, passage);
      } catch (error) {
        const kind = error instanceof OutboundError ? error.kind : undefined;
        if (kind !== 'dns_not_found' && kind !== 'dns_unavailable') throw error;
        refuseNeedy(url, passage);
      }
      return url;
    },
  };
}

/**
 * Some URLs are allowed only for hosts in the allow-list: without TLS, or with a name that is local to each network.
 */
function refuseNeedy(url: URL, { plainHttp = false }: Passage): void {
  if (url.protocol === 'http:' && !plainHttp) refuse('does not start with https://');
  const name = hostOf(url).replace(/\.$/, '').toLowerCase();
  if (isIP(name) !== 0) return;
  if (!name.includes('.') || LOCAL_ZONES.test(name) || name.startsWith('metadata.')) {
    refuse('has a host name that is only valid on a local network');
  }
}

function isSafePort({ port }: URL): boolean {
  return port === '' || port === '80' || port === '443' || Number(port) >= 1024;
}

export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '');
}

export function portOf({ port, protocol }: URL): number {
  return port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);
}

export function isSameAddress(a: string | undefined, b: string): boolean {
  return a !== undefined && canonicalAddress(a) === canonicalAddress(b);
}

function refuse(reason: string): never {
  throw new OutboundError('url_refused', reason);
}
