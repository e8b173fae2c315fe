import { existsSync, readFileSync, statSync } from 'node:fs';
import type { HubSettings } from '../../config/hub-settings.ts';
import { Failure } from '../../base/errors.ts';
import { freeDiskBytes } from '../../base/free-disk.ts';
import type { HubFile, ModelManifest } from '../../runtime/manifest.ts';
import type { HubCache } from '../hub/cache.ts';
import type { HubClient, HubEntry } from '../hub/client.ts';
import { makeFolder } from '../../base/make-folder.ts';
import { findInOtherCaches, type OtherCaches } from '../storage/other-caches.ts';

/** Everything that a download needs to resume after an interruption without asking the hub again. */
export type Plan = {
  manifest: ModelManifest;
  /** The model as the user named it. */
  model: string;
  /** Bound when the download is complete. */
  service?: string;
  /** Services that requested the same artifact while it was downloading: bound as well. */
  alsoFor?: readonly string[];
  reason?: string;
  files: readonly PlannedFile[];
};

export function servicesOf({ service, alsoFor = [] }: Plan): string[] {
  return service === undefined ? [...alsoFor] : [service, ...alsoFor];
}

export type PlannedFile = { role: string; revision: string; entry: HubEntry; candidates: readonly string[] };

export type Wanted = HubFile & { revision: string };

type Parts = { client: HubClient; cache: HubCache; otherCaches: OtherCaches | undefined };

const FREE_BYTES_MIN = 256e6;

/** Pins every file to a commit, and looks for local copies. */
export async function planFiles(
  wanted: readonly Wanted[],
  { client, cache, otherCaches }: Parts,
  signal: AbortSignal,
): Promise<PlannedFile[]> {
  const files: PlannedFile[] = [];
  for (const { role, repo, path, revision, sha256 } of wanted) {
    const entry = await client.entry(repo, path, revision, signal);
    if (sha256 !== undefined && entry.hash.value !== sha256) throw changed(entry, sha256);
    files.push({
      role,
      revision,
      entry,
      candidates: otherCaches ? findInOtherCaches(entry, otherCaches) : [],
    });
  }
  await requireSpace(files, cache);
  return files;
}

function changed({ repo, path, hash }: HubEntry, expected: string): Failure {
  return new Failure(
    'download_damaged',
    `${repo}/${path} at the hub has changed: its sha256 is ${hash.value} instead of ${expected}. ` +
      `If you trust the new file of its owner: askd pull hf:${repo}/${path}`,
  );
}

/** The remaining bytes must fit, with a reserve. */
async function requireSpace(files: readonly PlannedFile[], cache: HubCache): Promise<void> {
  const missing = files.filter(
    ({ entry, candidates }) => candidates.length === 0 && !existsSync(cache.blobOf(entry)),
  );
  const bytes = missing.reduce(
    (sum, { entry }) => sum + entry.bytes - allocated(`${cache.blobOf(entry)}.askd.incomplete`),
    0,
  );
  makeFolder(cache.root);
  const free = freeDiskBytes(cache.root);
  if (bytes === 0 || bytes + FREE_BYTES_MIN <= free) return;
  throw new Failure(
    'disk_full',
    `The download needs ${megabytes(bytes)} plus a reserve of ${megabytes(FREE_BYTES_MIN)}; ${cache.root} has ` +
      `${megabytes(free)} free. Free some space (askd rm MODEL), or move HF_HOME to a larger disk and restart askd.`,
    { details: { need: bytes, have: free } },
  );
}

/** The space that a sparse file actually takes. */
function allocated(path: string): number {
  const found = statSync(path, { throwIfNoEntry: false });
  return found ? Math.min(found.size, found.blocks * 512) : 0;
}

function megabytes(bytes: number): string {
  return `${Math.ceil(bytes / 1e6).toLocaleString('en')} MB`;
}

/**
 * The token of the environment, or the one stored by the hub's own tools; read each time, so that a login takes
 * effect.
 */
export function readToken({ token, tokenFile }: HubSettings): string | undefined {
  if (token !== undefined) return token;
  return existsSync(tokenFile) ? readFileSync(tokenFile, 'utf8').trim() || undefined : undefined;
}
