import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fetchNode, installPackage } from './install.ts';
import { packInto } from './pack.ts';
import { smokeTest } from './smoke.ts';

const MAJORS = [20, 22, 24];

/**
 * Installs the packed package under each supported Node, which npm provides, and tries it. Arguments select some of
 * them.
 */
const wanted = process.argv.slice(2).map(Number);
const folder = mkdtempSync(join(tmpdir(), 'askd-package-'));
try {
  const tarball = await packInto(folder);
  for (const major of wanted.length > 0 ? wanted : MAJORS) {
    const node = await fetchNode(major, folder);
    console.log(`Node ${node.version}: installing`);
    const prefix = join(folder, `prefix-${major}`);
    const smoke = await smokeTest(await installPackage(tarball, node, prefix));
    console.log(JSON.stringify(smoke, undefined, 2));
    rmSync(prefix, { recursive: true });
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
