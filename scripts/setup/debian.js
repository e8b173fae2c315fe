import { existsSync } from 'node:fs';
import { runQuietly, timed } from './processes.js';

/**
 * Installs packages that tests need, on a Debian where this is allowed, such as a build server's container.
 * Elsewhere, the tests that need them say what to install.
 */
export async function installOnDebian(what, packages) {
  if (!existsSync('/usr/bin/apt-get') || process.getuid?.() !== 0) return;
  await timed(`Installing ${what} (apt-get)`, () => install(packages));
}

async function install(packages) {
  const quiet = { DEBIAN_FRONTEND: 'noninteractive' };
  const options = ['install', '-y', '-qq', '--no-install-recommends', ...packages];
  const first = await runQuietly('apt-get', options, quiet);
  if (first.code === 0) return;
  await runQuietly('apt-get', ['update', '-qq'], quiet);
  const { code, stderr } = await runQuietly('apt-get', options, quiet);
  if (code !== 0) throw new Error(`${packages.join(', ')} could not be installed: ${stderr.trim()}`);
}
