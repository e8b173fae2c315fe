import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { makeCertificates } from '../../../../../scripts/fixtures/certificates.ts';
import { proxyFor } from '../../../../../src/client/testing/cassette/proxy.ts';
import { readProxySettings } from '../../../../../src/config/proxy-settings.ts';
import { openCassette, post } from '../../../../helpers/servers/cassette.ts';
import { openProxy } from '../../../../helpers/servers/proxy.ts';
import { scriptedServer, sendJson } from '../../../../helpers/servers/scripted-server.ts';

const AUTHORIZATION = `Basic ${Buffer.from('user:p@ss').toString('base64')}`;

/** A provider that only the proxy can reach, under a name that has no address. */
async function hiddenProvider() {
  const { ca, key, cert } = makeCertificates(['DNS:api.provider.invalid']);
  const server = createServer({ key, cert }, ({ url }, response) => sendJson(response, 200, { asked: url }));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, certificate: ca };
}

test('a provider is recorded through the proxy of HTTPS_PROXY', async () => {
  const { port, certificate } = await hiddenProvider();
  const { url, seen } = await openProxy(port);
  const proxy = readProxySettings({ HTTPS_PROXY: url });
  const cassette = openCassette();
  const baseUrl = 'https://api.provider.invalid/v1';
  const recorder = await cassette.record({ upstream: { baseUrl, certificate, proxy } });
  expect(await (await post(`${recorder.baseUrl}/embeddings`, {})).json()).toEqual({
    asked: '/v1/embeddings',
  });
  expect(seen).toEqual([`CONNECT api.provider.invalid:443 ${AUTHORIZATION}`]);
  expect(cassette.exchanges()).toHaveLength(1);
  expect(cassette.text()).not.toMatch(/authorization/i);
});

test('a provider without TLS is asked through the proxy of HTTP_PROXY', async () => {
  const provider = await scriptedServer((_request, response) => sendJson(response, 200, { answer: 1 }));
  const { url, seen } = await openProxy(provider.port);
  const upstream = {
    baseUrl: 'http://api.provider.invalid/v1',
    proxy: readProxySettings({ HTTP_PROXY: url }),
  };
  const recorder = await openCassette().record({ upstream });
  const answer = await post(`${recorder.baseUrl}/embeddings`, { input: 'a' });
  expect(answer.headers.get('x-asked-for')).toBe('api.provider.invalid');
  expect(seen).toEqual([`POST http://api.provider.invalid/v1/embeddings ${AUTHORIZATION}`]);
  expect(provider.seen).toMatchObject([{ body: { input: 'a' } }]);
});

test('a proxy that refuses is named, without its password', async () => {
  const { url } = await openProxy(1, 407);
  const upstream = {
    baseUrl: 'https://api.provider.invalid/v1',
    proxy: readProxySettings({ HTTPS_PROXY: url }),
  };
  const recorder = await openCassette().record({ upstream });
  const { error } = (await (await post(`${recorder.baseUrl}/embeddings`, {})).json()) as {
    error: { code: string; message: string };
  };
  expect(error).toMatchObject({
    code: 'upstream_unavailable',
    message: expect.stringMatching(/the proxy 127\.0\.0\.1:\d+ answered with status 407/) as string,
  });
  expect(error.message).not.toContain('p%40ss');
});

test('NO_PROXY excepts hosts, the domains below them, and ports', () => {
  const isProxied = (url: string, NO_PROXY: string) =>
    proxyFor(new URL(url), readProxySettings({ https_proxy: 'proxy:3128', NO_PROXY })) !== undefined;
  expect(isProxied('https://api.example.com/v1', 'localhost, example.org')).toBe(true);
  expect(isProxied('https://notexample.com/v1', 'example.com')).toBe(true);
  expect(isProxied('https://api.example.com/v1', 'example.com:8443')).toBe(true);
  for (const entry of ['*', 'api.example.com', '.example.com', '*.example.com', 'EXAMPLE.com:443'])
    expect(isProxied('https://api.example.com/v1', entry)).toBe(false);
  expect(isProxied('http://api.example.com/v1', '')).toBe(false);
});
