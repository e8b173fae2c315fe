import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { binFile, packageRoot } from '../../../base/paths.ts';
import { version } from '../../../base/version.ts';
import { thisPlatform } from '../../engines/optional-engines.ts';
import { bytesOf, packFiles, type Packed } from './pack.ts';
import { libcOf, NODE_MIN, readmeOf, SCRIPT, SCRIPT_OF_WINDOWS } from './papers.ts';
import { collectPackage, type PackageParts } from './tree.ts';

/** Where the kit of an archive is written, which archive that is, and whether there is something to import in it. */
export type KitRequest = { folder: string; archive: string; imports: boolean } & Pick<
  PackageParts,
  'engines' | 'withGpu'
>;

/** What a machine needs to install this askd, as files in the folder. */
export type Kit = {
  version: string;
  platform: string;
  /** Of the package, packed. */
  bytes: number;
  engines: string[];
  files: string[];
};

const PROGRESS_MS = 1000;

/** Packs the askd that runs, with its engines, and writes what unpacks it elsewhere. */
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
  // Whoever no longer asks for progress has aborted it.
  packing.catch(() => undefined);
  for (;;) {
    const packed = await Promise.race([packing, wait(PROGRESS_MS, undefined)]);
    if (packed !== undefined) return packed;
    yield progress();
  }
}
