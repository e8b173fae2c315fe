import { existsSync } from 'node:fs';
import { readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Failure } from '../../base/errors.ts';
import { freeDiskBytes } from '../../base/free-disk.ts';
import { createHubRequests, type HubAccess } from '../hub/request.ts';
import { Interrupted } from '../hub/interrupted.ts';
import { withRetries } from '../hub/retry.ts';
import { makeFolder } from '../../base/make-folder.ts';
import { fetchPackage, type Fetching } from './archive.ts';
import { packagesFor, thisPlatform, type OptionalEngine } from './optional-engines.ts';
import type { Gpu, PinnedPackage } from './packages.ts';
import { engineFolder } from './place.ts';

export type InstallProgress = {
  /** The package being fetched. */
  package: string;
  packagesDone: number;
  packagesTotal: number;
  bytesReceived: number;
  bytesTotal: number;
};

export type Registry = { address: string; proxy: HubAccess['proxy']; stallMs: number; retryMs: number };

export type Installing = {
  engine: OptionalEngine;
  gpu?: Gpu;
  /** The home's folder of engines. */
  folder: string;
  registry: Registry;
  signal: AbortSignal;
  onProgress: (progress: InstallProgress) => void;
};

/** An archive of native code takes about three times its size once unpacked. */
const UNPACKED_FACTOR = 4;
const FREE_BYTES_MIN = 256e6;

/**
 * Fetches only what is missing, so that repeating an interrupted installation resumes it. A new engine is built next
 * to its destination and renamed when complete.
 */
export async function installPackages(installing: Installing): Promise<void> {
  const { engine, gpu, folder } = installing;
  const wanted = packagesFor(engine, { platform: thisPlatform, ...(gpu && { gpu }) });
  if (wanted.length === 0) throw unsupported(engine);
  if (gpu && !wanted.some((each) => each.gpu === gpu)) throw unsupported(engine, gpu);
  const place = engineFolder(engine, folder);
  const isComplete = existsSync(place);
  const target = isComplete ? place : `${place}.incomplete`;
  const missing = wanted.filter(({ name }) => !existsSync(join(target, 'node_modules', name)));
  makeFolder(target);
  requireSpace(missing, target);
  await fetchAll(missing, target, installing);
  if (!isComplete) await rename(target, place);
  await removeOthers(place);
}

async function fetchAll(missing: readonly PinnedPackage[], target: string, installing: Installing) {
  const { registry, signal, onProgress } = installing;
  const { address, proxy, stallMs, retryMs } = registry;
  const requests = createHubRequests({ endpoint: address, token: undefined, proxy, stallMs });
  const bytesTotal = sum(missing);
  try {
    for (const [packagesDone, pinned] of missing.entries()) {
      const before = sum(missing.slice(0, packagesDone));
      const onBytes = (received: number) =>
        onProgress({
          package: `${pinned.name} ${pinned.version}`,
          packagesDone,
          packagesTotal: missing.length,
          bytesReceived: before + received,
          bytesTotal,
        });
      onBytes(0);
      const fetching = { requests, registry: address, target, signal, onBytes };
      await withRetries(() => twiceIfDamaged(pinned, fetching), { retryMs, signal });
    }
  } catch (error) {
    throw unreachable(error, address);
  } finally {
    await requests.close();
  }
}

/** A cache on the way to the registry may hold half a file. */
async function twiceIfDamaged(pinned: PinnedPackage, fetching: Fetching): Promise<void> {
  try {
    await fetchPackage(pinned, fetching);
  } catch (error) {
    if (!(error instanceof Failure && error.code === 'download_damaged')) throw error;
    await fetchPackage(pinned, fetching);
  }
}

function requireSpace(missing: readonly PinnedPackage[], folder: string): void {
  if (missing.length === 0) return;
  const need = sum(missing) * UNPACKED_FACTOR + FREE_BYTES_MIN;
  const have = freeDiskBytes(folder);
  if (need <= have) return;
  throw new Failure(
    'disk_full',
    `The engine needs about ${megabytes(need)} of disk space; ${folder} has ${megabytes(have)}. Free some: askd rm MODEL`,
    { details: { need, have } },
  );
}

/** Deletes what an older askd used, and unfinished leftovers. */
async function removeOthers(place: string): Promise<void> {
  for (const name of await readdir(dirname(place))) {
    const other = join(dirname(place), name);
    if (other !== place) await rm(other, { recursive: true, force: true });
  }
}

function sum(packages: readonly PinnedPackage[]): number {
  return packages.reduce((total, { bytes }) => total + bytes, 0);
}

function unsupported({ name }: OptionalEngine, gpu?: Gpu): Failure {
  const what = gpu === undefined ? `The engine "${name}"` : `The engine "${name}" for ${gpu}`;
  return new Failure('engine_not_installed', `${what} has no build for ${thisPlatform}.`, {
    param: 'engine',
  });
}

function unreachable(error: unknown, address: string): unknown {
  if (!(error instanceof Interrupted)) return error;
  return new Failure(
    'registry_failed',
    `The registry ${address} is unavailable: ${error.message}. The partial download is kept; try again.`,
    { cause: error },
  );
}

function megabytes(bytes: number): string {
  return `${Math.ceil(bytes / 1e6).toLocaleString('en')} MB`;
}
