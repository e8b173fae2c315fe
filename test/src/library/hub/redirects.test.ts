import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createHttps } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { makeCertificates } from '../../../../scripts/fixtures/certificates.ts';
import { builtFile } from '../../../../src/base/paths.ts';
import { temporaryFolder } from '../../../helpers/temporary.ts';

const BUILT = builtFile('src/library/catalog/fetch-catalog.js');

async function open(listener: RequestListener, certificates?: ReturnType<typeof makeCertificates>) {
  const server = certificates ? createHttps(certificates, listener) : createServer(listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `${certificates ? 'https' : 'http'}://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('a download that began encrypted follows no redirect to plain HTTP', { timeout: 120_000 }, async () => {
  const certificates = makeCertificates();
  const asked: string[] = [];
  const plain = await open((_request, response) => {
    asked.push('plain');
    response.end('the text');
  });
  const secure = await open(({ url }, response) => {
    asked.push(`secure ${url}`);
    if (url === '/text') return void response.end('the text');
    response.writeHead(302, { location: url === '/down' ? plain : '/text' }).end();
  }, certificates);
  const authority = join(temporaryFolder(), 'ca.pem');
  writeFileSync(authority, certificates.ca);
  const proxy = { httpProxy: '', httpsProxy: '', noProxy: '' };
  const program = `
    const { fetchCatalog } = await import(${JSON.stringify(BUILT)});
    const access = ${JSON.stringify({ proxy, stallMs: 60_000, retryMs: 1 })};
    for (const path of ['/across', '/down'])
      console.log(await fetchCatalog('${secure}' + path, access, new AbortController().signal).catch(String));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], {
    env: { ...process.env, NODE_EXTRA_CA_CERTS: authority },
  });
  const [across, down] = stdout.trim().split('\n');
  expect(across).toBe('the text');
  expect(down).toContain(
    'redirects from https to http, which is not followed. The current catalogue stays in use.',
  );
  expect(asked).toEqual(['secure /across', 'secure /text', 'secure /down']);
});
