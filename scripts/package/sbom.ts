import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { packageRoot } from '../../src/base/paths.ts';

export type Bill = {
  bomFormat: string;
  components: readonly { name: string; version: string; purl: string }[];
};

/**
 * The bill of materials of what users install, as CycloneDX. `npm sbom --omit=dev` alone would also omit packages
 * that development needs as well, so it is made from a copy of the manifest without development dependencies.
 */
export async function billOfMaterials(): Promise<Bill> {
  const folder = mkdtempSync(join(tmpdir(), 'askd-bill-'));
  const cwd = join(folder, 'askd');
  try {
    mkdirSync(cwd);
    for (const name of ['package.json', 'package-lock.json'])
      copyFileSync(join(packageRoot, name), join(cwd, name));
    await execa('npm', ['pkg', 'delete', 'devDependencies'], { cwd });
    await execa('npm', ['install', '--package-lock-only', '--ignore-scripts', '--offline'], { cwd });
    const { stdout } = await execa('npm', ['sbom', '--package-lock-only', '--sbom-format=cyclonedx'], {
      cwd,
    });
    return JSON.parse(stdout) as Bill;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
