import { existsSync } from 'node:fs';
import { installOnDebian } from './debian.js';

/** Runners are tested in the sandbox that they have on Linux. */
export async function ensureSandbox() {
  if (process.platform !== 'linux' || existsSync('/usr/bin/bwrap')) return;
  await installOnDebian('bubblewrap for the tests of the sandbox', ['bubblewrap']);
}
