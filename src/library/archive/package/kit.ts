import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { binFile, packageRoot } from '../../../base/paths.ts';
import { version } from '../../../base/version.ts';
import { thisPlatform } from '../../engines/optional-engines.ts';
import { bytesOf, packFiles, type Packed } from './pack.ts';
import { libcOf, NODE_MIN, readmeOf, SCRIPT, SCRIPT_OF_WINDOWS } from './papers.ts';
import { collectPackage, type PackageParts } from './tree.ts';

/** Where an archive's kit is written, which archive that is, and whether it has anything to import. */
export type KitRequest = { folder: string; archive: string; imports: boolean } & Pick<
  PackageParts,
  'engines' | 'withGpu'
>;

/** The files in the folder that a machine needs to install this askd. */
export type Kit = {
  version: string;
  platform: string;
  /** Of the package, packed. */
  bytes: number;
  engines: string[];
  files: string[];
};

const PROGRESS_MS = 1000;

/** Packs the running askd with its engines, and writes the files that unpack it elsewhere. */
export async function* writeKit(
  { folder, archive, imports, engines, withGpu }: KitRequest,
  signal: AbortSignal,
): AsyncGenerator<{ bytes: number; bytesTotal: number }, Kit> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const tree = await collectPackage({ packageRoot, engines, withGpu });
  const bytesTotal = bytesOf(tree.files);
  let bytes = 0;
  const packing = packFiles(tree.files, join(folder, 'askd.tgz'), {
    signal,
    onBytes: (count) => void (bytes += count),
  });
  const packed = yield* whileRunning(packing, () => ({ bytes, bytesTotal }));
  const names = engines.map(({ name }) => name);
  const facts = {
    ...{ version, platform: thisPlatform, libc: libcOf(), node: process.versions.node, node_min: NODE_MIN },
    ...{ root: tree.root, sha256: packed.sha256, unpacked_bytes: bytesTotal, engines: names, imports },
  };
  await writeFile(join(folder, 'install.json'), `${JSON.stringify(facts, null, 2)}\n`);
  await writeFile(join(folder, 'README.txt'), readmeOf({ ...facts, archive: basename(archive) }));
  await copyFile(binFile('install.js'), join(folder, 'install.mjs'));
  const script = process.platform === 'win32' ? 'install.cmd' : 'install.sh';
  await writeFile(join(folder, script), process.platform === 'win32' ? SCRIPT_OF_WINDOWS : SCRIPT);
  return {
    ...{ version, platform: thisPlatform, bytes: packed.bytes, engines: names },
    files: ['README.txt', script, 'install.mjs', 'install.json', 'askd.tgz'],
  };
}

async function* whileRunning<Progress>(
  packing: Promise<Packed>,
  progress: () => Progress,
): AsyncGenerator<Progress, Packed> {
  // A caller that stops reading the progress has aborted it.
  packing.catch(() => undefined);
  for (;;) {
    const packed = await Promise.race([packing, wait(PROGRESS_MS, undefined)]);
    if (packed !== undefined) return packed;
    yield progress();
  }
}
