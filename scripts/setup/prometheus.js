import { existsSync, mkdirSync, readFileSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ROOT, runQuietly, timed } from './processes.js';

const PLACES = JSON.parse(readFileSync(new URL('prometheus-places.json', import.meta.url), 'utf8'));
const PACKAGE = join(ROOT, 'node_modules/.cache/askd/prometheus');

/**
 * The metrics are tested with a real Prometheus. On a Debian its package is fetched and unpacked but not installed,
 * since its service would keep running. Elsewhere, the test that needs it fails and says what to install.
 */
export async function ensurePrometheus() {
  if (PLACES.some((place) => existsSync(resolve(ROOT, place, 'prometheus')))) return;
  if (!existsSync('/usr/bin/apt-get')) return;
  await timed('Fetching Prometheus for the test of the metrics (apt-get)', fetchPackage);
}

async function fetchPackage() {
  mkdirSync(PACKAGE, { recursive: true });
  const download = () =>
    runQuietly('sh', ['-c', 'cd "$1" && apt-get download -qq prometheus', 'sh', PACKAGE]);
  let fetched = await download();
  if (fetched.code !== 0 && process.getuid?.() === 0) {
    await runQuietly('apt-get', ['update', '-qq']);
    fetched = await download();
  }
  const file = readdirSync(PACKAGE).find((name) => name.endsWith('.deb'));
  if (file === undefined) throw new Error(`Prometheus could not be fetched: ${fetched.stderr.trim()}`);
  const { code, stderr } = await runQuietly('dpkg-deb', ['-x', join(PACKAGE, file), PACKAGE]);
  if (code !== 0) throw new Error(`Prometheus could not be unpacked: ${stderr.trim()}`);
}
