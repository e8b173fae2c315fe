import { existsSync, readFileSync } from 'node:fs';
import { runQuietly, timed } from './processes.js';

const PLACES = JSON.parse(readFileSync(new URL('browser-places.json', import.meta.url), 'utf8'));

/**
 * The pages are tested in a real Chromium. On a Debian where this may install packages, as in a container of a build
 * server, it does so; elsewhere the tests that need one fail and say what to install.
 */
export async function ensureBrowser() {
  if (PLACES.some((place) => existsSync(place))) return;
  if (!existsSync('/usr/bin/apt-get') || process.getuid?.() !== 0) return;
  await timed('Installing Chromium for the tests of the pages (apt-get)', install);
}

async function install() {
  const quiet = { DEBIAN_FRONTEND: 'noninteractive' };
  const options = ['install', '-y', '-qq', '--no-install-recommends', 'chromium'];
  const first = await runQuietly('apt-get', options, quiet);
  if (first.code === 0) return;
  await runQuietly('apt-get', ['update', '-qq'], quiet);
  const { code, stderr } = await runQuietly('apt-get', options, quiet);
  if (code !== 0) throw new Error(`Chromium could not be installed: ${stderr.trim()}`);
}
