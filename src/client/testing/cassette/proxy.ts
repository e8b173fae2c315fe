import { once } from 'node:events';
import { request as requestHttp, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { Socket } from 'node:net';
import { Failure } from '../../../base/errors.ts';
import type { ProxySettings } from '../../../config/proxy-settings.ts';

const PORTS: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };

/** The proxy for a URL, unless NO_PROXY names its host, a parent domain, or `*`. */
export function proxyFor(url: URL, settings: ProxySettings): URL | undefined {
  const { httpProxy, httpsProxy, noProxy } = settings;
  const proxy = url.protocol === 'https:' ? httpsProxy : httpProxy;
  if (proxy === '' || noProxy.split(/[\s,]+/).some((entry) => covers(entry, url))) return undefined;
  const address = proxy.includes('://') ? proxy : `http://${proxy}`;
  if (URL.canParse(address)) return new URL(address);
  throw new Failure('invalid_value', `HTTPS_PROXY or HTTP_PROXY is not a URL: ${proxy}`);
}

function covers(entry: string, url: URL): boolean {
  if (entry === '*') return true;
  const [, name = '', port] = /^\*?\.?(.*?)(?::(\d+))?$/.exec(entry.toLowerCase()) ?? [];
  if (name === '' || (port !== undefined && port !== portOf(url))) return false;
  return url.hostname === name || url.hostname.endsWith(`.${name}`);
}

/** A tunnel through the proxy to the server, for TLS. */
export async function openTunnel(proxy: URL, url: URL, signal: AbortSignal): Promise<Socket> {
  const path = `${url.hostname}:${portOf(url)}`;
  const options = { method: 'CONNECT', path, headers: { host: path, ...proxyHeaders(proxy) }, signal };
  const asked = requestProxy(proxy, options);
  asked.end();
  const [answer, socket] = (await once(asked, 'connect')) as [IncomingMessage, Socket];
  if (answer.statusCode === 200) return socket;
  socket.destroy();
  throw new Error(`the proxy ${proxy.host} answered with status ${answer.statusCode}`);
}

/** Without TLS, the proxy itself is asked for the whole URL. */
export function requestProxy(proxy: URL, options: RequestOptions) {
  const { hostname: host, protocol } = proxy;
  const port = portOf(proxy);
  return protocol === 'https:'
    ? requestHttps({ ...options, host, port, servername: host, agent: false })
    : requestHttp({ ...options, host, port, agent: false });
}

export function proxyHeaders({ username, password }: URL): Record<string, string> {
  if (username === '') return {};
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(pair).toString('base64')}` };
}

function portOf({ port, protocol }: URL): string {
  return port || (PORTS[protocol] ?? '');
}
