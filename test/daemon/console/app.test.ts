import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { builtFile } from '../../../src/base/paths.ts';
import { startDaemon } from '../../helpers/daemon/daemon.ts';

/** Requests a path from a running daemon, as a browser does. */
async function openSite() {
  const { port } = await startDaemon();
  return (path: string) => fetch(`http://127.0.0.1:${port}${path}`);
}

const TYPES: Record<string, string> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
};
const ASSETS = builtFile('console/assets');
const names = () => readdirSync(ASSETS);
const packed = (name: string) => gzipSync(readFileSync(join(ASSETS, name))).length;
const first = () => {
  const index = readFileSync(builtFile('console/index.html'), 'utf8');
  return [...index.matchAll(/assets\/([\w.-]+)/g)].map(([, name = '']) => name);
};

test('every address of the console gets the one page, under a policy without inline script or style', async () => {
  const get = await openSite();
  for (const path of ['/dashboard', '/dashboard/keys', '/dashboard/no/such/page']) {
    const response = await get(path);
    expect(response.status).toBe(200);
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
    expect(response.headers.get('cache-control')).toBe('no-store');
    const html = await response.text();
    expect(html).not.toMatch(/<style|style=|<script(?![^>]* src=)| on\w+=/);
    expect(html).not.toMatch(/https?:\/\//);
  }
});

test('the files of the console are compressed, typed and kept by the browser', async () => {
  const get = await openSite();
  for (const name of names()) {
    const response = await get(`/dashboard/assets/${name}`);
    expect(response.headers.get('content-encoding')).toBe('gzip');
    expect(response.headers.get('cache-control')).toContain('immutable');
    expect(response.headers.get('content-type')).toContain(TYPES[extname(name)]);
    expect(await response.text()).toBe(readFileSync(join(ASSETS, name), 'utf8'));
  }
});

test.each(['nothing.js', '..%2Findex.html', '..%2F..%2Faskd.1', '.%00', '%2e%2e%2f%2e%2e%2fpackage.json'])(
  'only files from the build are read: %s',
  async (name) => {
    const get = await openSite();
    const response = await get(`/dashboard/assets/${name}`);
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ error: { code: 'not_found' } });
  },
);

test('the first page is at most 150 KB of script, and the whole console 400 KB', () => {
  const sum = (all: readonly string[]) => all.reduce((total, name) => total + packed(name), 0);
  expect(sum(first().filter((name) => name.endsWith('.js')))).toBeLessThanOrEqual(150_000);
  expect(sum(names())).toBeLessThanOrEqual(400_000);
});
