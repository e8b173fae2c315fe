import { isIP } from 'node:net';
import type { Shape } from './setting-values.ts';

/** An origin whose pages may use the API: `http://localhost:8080`, `app://obsidian.md`, or `vscode-webview://*`. */
export const ORIGIN = {
  parse: parseOrigin,
  expects:
    'an origin such as http://localhost:8080 or app://obsidian.md, or a scheme such as vscode-webview://*',
  objection: objectionToOrigin,
} satisfies Shape;

/** A name by which clients may reach the daemon: `host.docker.internal`, or with a port, `mybox.lan:8443`. */
export const HOST = {
  parse: parseHost,
  expects: 'a name such as host.docker.internal, with or without a port',
  objection: objectionToHost,
} satisfies Shape;

const WEB_SCHEMES = ['http', 'https'];
/** Their pages have the origin "null", which any page can take on. */
const SCHEMES_WITHOUT_ORIGIN = ['file', 'data', 'blob', 'about', 'javascript'];

/** Normalized as browsers send it, so that it can be compared. */
export function parseOrigin(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const [, scheme = '', host = ''] = /^([a-z][a-z0-9+.-]*):\/\/([\w.~:[\]-]+|\*)\/?$/i.exec(value) ?? [];
  if (host === '' || SCHEMES_WITHOUT_ORIGIN.includes(scheme.toLowerCase())) return undefined;
  if (!WEB_SCHEMES.includes(scheme.toLowerCase())) return `${scheme}://${host}`.toLowerCase();
  return host !== '*' && URL.canParse(value) ? new URL(value).origin : undefined;
}

/** In lower case, with its port if one was given. */
export function parseHost(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const host = isIP(value) === 6 ? `[${value}]` : value.toLowerCase();
  const [, name = '', , port = ''] = /^([\w.-]+|\[[\da-f:.]+\])(:(\d{1,5}))?$/.exec(host) ?? [];
  const isName = name.startsWith('[') ? isIP(name.slice(1, -1)) === 6 : /[a-z0-9]/.test(name);
  return isName && Number(port) <= 65_535 ? host : undefined;
}

export function isAllowedOrigin(allowed: readonly string[], origin: string): boolean {
  const known = parseOrigin(origin);
  if (known === undefined || known.endsWith('://*')) return false;
  return allowed.includes(known) || allowed.includes(known.replace(/:\/\/.*/, '://*'));
}

/** A name without a port is allowed with every port, since a container's port may be forwarded from another. */
export function isAllowedHost(allowed: readonly string[], host: string): boolean {
  const known = parseHost(host);
  if (known === undefined) return false;
  return allowed.includes(known) || allowed.includes(known.replace(/:\d+$/, ''));
}

function objectionToOrigin(value: unknown): string | undefined {
  if (value === '*' || /^https?:\/\/\*/i.test(String(value))) {
    return 'Any page you visit could use the models; list the origins that you trust.';
  }
  if (value === 'null' || /^(file|data|blob):/i.test(String(value))) {
    return 'Any page can have the origin "null", like local files; serve the page over http://localhost.';
  }
  return undefined;
}

function objectionToHost(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  if (value.includes('*')) {
    return 'With any host allowed, a page could reach this daemon by DNS rebinding; list the hosts that you use.';
  }
  return value.includes('://') ? 'A host has no scheme.' : undefined;
}
