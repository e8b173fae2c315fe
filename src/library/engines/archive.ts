import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { extract } from 'tar';
import { Failure } from '../../base/errors.ts';
import { plainReason, type Answer, type HubRequests } from '../hub/request.ts';
import { Interrupted } from '../hub/interrupted.ts';
import { makeFolder } from '../../base/make-folder.ts';
import { archiveAddress, type PinnedPackage } from './packages.ts';

export type Fetching = {
  requests: HubRequests;
  registry: string;
  /** The folder of `node_modules`; archives are kept beside it until they are unpacked. */
  target: string;
  signal: AbortSignal;
  onBytes: (received: number) => void;
};

const RETRY_SOON = [408, 425, 429];

/** Installs one package by an atomic rename, so everything in `node_modules` is verified and complete. */
export async function fetchPackage(pinned: PinnedPackage, fetching: Fetching): Promise<void> {
  const { target, signal } = fetching;
  const archive = join(target, 'archive.tgz');
  const unpacked = join(target, 'unpacked');
  makeFolder(target);
  try {
    const integrity = await download(pinned, archive, fetching);
    if (integrity !== pinned.integrity) throw damaged(pinned, `its hash is ${integrity}`);
    signal.throwIfAborted();
    await rm(unpacked, { recursive: true, force: true });
    makeFolder(unpacked);
    await unpack(pinned, archive, unpacked);
    const place = join(target, 'node_modules', pinned.name);
    mkdirSync(dirname(place), { recursive: true });
    renameSync(unpacked, place);
  } finally {
    await rm(archive, { force: true });
    await rm(unpacked, REMOVING);
  }
}

/** A failed unpack may still be writing a file for a moment. */
const REMOVING = { recursive: true, force: true, maxRetries: 5 };
/** An error of the disk, not of the archive. */
const OF_DISK = new Set<unknown>(['ENOSPC', 'EDQUOT', 'EACCES', 'EPERM', 'EROFS', 'EIO', 'EMFILE']);

/**
 * The hash is the right one, so only a wrong pin brings an archive that cannot be unpacked. Over a zero in a name, the
 * library throws where nothing can catch it.
 */
async function unpack(pinned: PinnedPackage, file: string, folder: string): Promise<void> {
  try {
    let odd: string | undefined;
    const filter = (path: string, entry: object) => {
      if (path.includes('\0')) odd = path;
      return odd === undefined && isNoLink(entry);
    };
    await extract({ file, cwd: folder, strip: 1, strict: true, filter });
    if (odd !== undefined) throw new Error(`the name ${JSON.stringify(odd)} has a zero in it`);
    makeProgramsExecutable(folder);
  } catch (error) {
    if (OF_DISK.has((error as NodeJS.ErrnoException).code)) throw error;
    throw damaged(pinned, `it cannot be unpacked (${(error as Error).message})`);
  }
}

/** A package consists of files; a link in one could only lead somewhere else. */
function isNoLink(entry: object): boolean {
  return !('type' in entry && typeof entry.type === 'string' && entry.type.endsWith('Link'));
}

/** An archive does not mark its executables; its package.json does. */
function makeProgramsExecutable(folder: string): void {
  const { bin = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Programs;
  const programs = typeof bin === 'string' ? [bin] : Object.values(bin);
  for (const program of programs.map((path) => join(folder, path))) {
    if (program.startsWith(folder) && existsSync(program)) chmodSync(program, 0o755);
  }
}

type Programs = { bin?: string | Record<string, string> };

/** Returns the hash of the bytes. */
async function download(pinned: PinnedPackage, path: string, fetching: Fetching): Promise<string> {
  const { requests, registry, signal, onBytes } = fetching;
  const address = archiveAddress(registry, pinned);
  const { answer } = await requests.ask(address, { signal });
  if (answer.statusCode !== 200) {
    await answer.body.dump();
    throw refusalOf(answer.statusCode, address);
  }
  const hash = createHash('sha512');
  const file = await open(path, 'w');
  let received = 0;
  try {
    for await (const chunk of bytesOf(answer, signal)) {
      received += chunk.length;
      if (received > pinned.bytes) throw damaged(pinned, `it is larger than ${pinned.bytes} bytes`);
      hash.update(chunk);
      await file.write(chunk);
      onBytes(received);
    }
  } finally {
    await file.close();
  }
  return `sha512-${hash.digest('base64')}`;
}

async function* bytesOf({ body }: Answer, signal: AbortSignal): AsyncGenerator<Buffer> {
  try {
    yield* body as AsyncIterable<Buffer>;
  } catch (cause) {
    signal.throwIfAborted();
    throw new Interrupted(plainReason(cause), { cause });
  }
}

function refusalOf(status: number, address: string): Error {
  const message = `the registry answered ${status} for ${address}`;
  if (RETRY_SOON.includes(status) || status >= 500) return new Interrupted(message);
  return new Failure(
    'registry_failed',
    `The engine cannot be downloaded: ${message}. Check the setting npm_registry.`,
  );
}

function damaged({ name, version }: PinnedPackage, what: string): Failure {
  return new Failure(
    'download_damaged',
    `${name} ${version} from the registry failed verification: ${what}. It was discarded.`,
  );
}
