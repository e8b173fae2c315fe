import { join } from 'node:path';
import { execa } from 'execa';
import { packageRoot } from '../../src/base/paths.ts';

/** What `npm pack --json` says about a tarball. */
export type Packed = {
  filename: string;
  /** The size of the tarball and of its content. */
  size: number;
  unpackedSize: number;
  files: readonly { path: string; size: number }[];
};

/** The package as it would be published, without writing it. It must have been built. */
export async function listPackage(): Promise<Packed> {
  return pack(['--dry-run']);
}

/** Writes the tarball that would be published; returns its path. */
export async function packInto(folder: string): Promise<string> {
  const { filename } = await pack(['--pack-destination', folder]);
  return join(folder, filename);
}

async function pack(args: readonly string[]): Promise<Packed> {
  const { stdout } = await execa('npm', ['pack', '--json', '--ignore-scripts', ...args], {
    cwd: packageRoot,
  });
  const answer = JSON.parse(stdout) as Packed[] | Record<string, Packed>;
  const [packed] = Object.values(answer);
  if (packed === undefined) throw new Error('npm pack named no package');
  return packed;
}
