import { createHash } from 'node:crypto';
import { existsSync, statfsSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Failure } from '../../base/errors.ts';
import { makeFolder } from '../../base/make-folder.ts';
import type { Settings } from '../../config/config.ts';
import type { ModelManifest } from '../../runtime/manifest.ts';
import type { Library } from '../library.ts';
import type { InstalledFile } from '../storage/artifact-files.ts';
import { damaged, type ArchivedBytes, type ArchivedFile, type Contents } from './contents.ts';
import type { ArchiveProgress } from './export-archive.ts';
import { bytesOf, findParts, readParts } from './parts.ts';
import { readArchive } from './read-archive.ts';
import { planSettings, takeSettings, type ArchivedSettings, type CarriedSetting } from './settings.ts';

export type ImportRequest = { path: string; withSettings: boolean };
export type Imported = {
  artifacts: ModelManifest[];
  bindings: Contents['bindings'];
  settings: readonly CarriedSetting[];
};

type Parts = {
  library: Pick<
    Library,
    'artifacts' | 'findArtifact' | 'install' | 'bind' | 'setFallbacks' | 'bindDraft' | 'addAlias'
  >;
  modelsFolder: string;
  /** Version of the running daemon. */
  settings: Settings;
};

const PROGRESS_BYTES = 64 * 1024 * 1024;
const FOLDER_NAME_LENGTH = 60;

/**
 * Unpacks into a separate folder. Only when every file is there and has its hash is everything moved into place and
 * registered. The next import reuses what an interrupted one unpacked.
 */
export async function* importArchive(
  { library, modelsFolder, settings }: Parts,
  { path, withSettings }: ImportRequest,
  signal: AbortSignal,
): AsyncGenerator<ArchiveProgress, Imported> {
  const parts = findParts(path);
  if (parts.length === 0)
    throw new Failure('not_found', `The file ${path} does not exist.`, { param: 'path' });
  const archive = readArchive(readParts(parts, signal));
  const contents = await archive.contents();
  refuseTaken(contents, library);
  const { files, install = [] } = contents;
  const bytesTotal = sizeOf([...install, ...files]);
  if (bytesTotal > bytesOf(parts)) throw damaged('a part is missing, or it ends too early');
  refuseFull(modelsFolder, sizeOf(files));
  const carried: ArchivedSettings = (withSettings && contents.settings) || {};
  yield { state: 'verifying', bytes: 0, bytesTotal, settings: planSettings(carried, settings).settings };
  const staging = join(modelsFolder, `.import-${archive.hash()}`);
  try {
    yield* unpack(archive, { contents, staging, bytesTotal, signal });
  } catch (error) {
    // A damaged archive leaves nothing; an interrupted import is continued.
    if (error instanceof Failure && error.code === 'archive_invalid')
      await rm(staging, { recursive: true, force: true });
    throw error;
  }
  const artifacts = await register(contents, { library, modelsFolder, staging });
  return { artifacts, bindings: contents.bindings, settings: takeSettings(carried, settings) };
}

type Unpacking = { contents: Contents; staging: string; bytesTotal: number; signal: AbortSignal };

async function* unpack(
  archive: ReturnType<typeof readArchive>,
  { contents, staging, bytesTotal, signal }: Unpacking,
): AsyncGenerator<ArchiveProgress> {
  let bytes = 0;
  let shown = 0;
  for (const { file, name, target } of membersOf(contents, staging)) {
    yield { state: 'verifying', bytes, bytesTotal };
    const hash = createHash('sha256');
    await using output = target === undefined ? undefined : await openMissing(target, file.sha256);
    for await (const chunk of archive.next(file)) {
      signal.throwIfAborted();
      hash.update(chunk);
      await output?.writeFile(chunk);
      bytes += chunk.length;
      if (bytes - shown < PROGRESS_BYTES) continue;
      shown = bytes;
      yield { state: 'verifying', bytes, bytesTotal };
    }
    if (hash.digest('hex') !== file.sha256) throw damaged(`${name} does not match its hash in the list`);
    await output?.datasync();
  }
  await archive.end();
}

/** In order, with the place where each is unpacked; the files that install askd are only verified. */
function membersOf({ install = [], files }: Contents, staging: string) {
  return [
    ...install.map((file) => ({ file, name: file.member, target: undefined })),
    ...files.map((file) => ({
      file,
      name: `${file.path} of "${file.model}"`,
      target: join(staging, folderName(file.model), file.path),
    })),
  ];
}

type Registering = Omit<Parts, 'settings'> & { staging: string };

async function register(
  contents: Contents,
  { library, modelsFolder, staging }: Registering,
): Promise<ModelManifest[]> {
  const artifacts: ModelManifest[] = [];
  for (const { manifest, aliases } of contents.models) {
    const folder = join(modelsFolder, folderName(manifest.id));
    await rm(folder, { recursive: true, force: true });
    await rename(join(staging, folderName(manifest.id)), folder);
    const files = contents.files.filter(({ model }) => model === manifest.id);
    artifacts.push(
      library.install(
        placed(manifest, folder),
        files.map((file) => installed(file, folder)),
      ),
    );
    for (const alias of aliases) if (!library.findArtifact(alias)) library.addAlias(alias, manifest.id);
  }
  await rm(staging, { recursive: true, force: true });
  const ids = new Set(artifacts.map(({ id }) => id));
  for (const { manifest, draft } of contents.models)
    if (draft !== undefined) library.bindDraft(manifest.id, draft);
  for (const { service, artifact, fallbacks = [] } of contents.bindings) {
    library.bind(service, artifact);
    const here = fallbacks.filter((id) => ids.has(id) || library.findArtifact(id)?.tier === 'starter');
    if (here.length > 0) library.setFallbacks(service, here);
  }
  return artifacts;
}

function placed(manifest: ModelManifest, folder: string): ModelManifest {
  const at = (path: string) => (path === '.' ? folder : join(folder, path));
  const { files, adapters } = manifest;
  return {
    ...manifest,
    path: at(manifest.path),
    ...(files && {
      files: Object.fromEntries(Object.entries(files).map(([role, path]) => [role, at(path)])),
    }),
    ...(adapters && { adapters: adapters.map((adapter) => ({ ...adapter, path: at(adapter.path) })) }),
  };
}

function installed({ path: name, bytes, sha256 }: ArchivedFile, folder: string): InstalledFile {
  const path = join(folder, name);
  return { path, blob: path, bytes, hash: { kind: 'sha256', value: sha256 }, isFetched: true };
}

/** Two ids that a file system cannot distinguish have different hashes. */
function folderName(id: string): string {
  const hash = createHash('sha256').update(id).digest('hex').slice(0, 8);
  return `${id.replace(/[^A-Za-z0-9._-]/g, '-').slice(0, FOLDER_NAME_LENGTH)}-${hash}`;
}

/** Does nothing if an interrupted import has already unpacked it. */
async function openMissing(target: string, sha256: string) {
  if ((await hashOf(target)) === sha256) return undefined;
  makeFolder(dirname(target));
  return open(target, 'w', 0o600);
}

function sizeOf(files: readonly ArchivedBytes[]): number {
  return files.reduce((sum, { bytes }) => sum + bytes, 0);
}

async function hashOf(path: string): Promise<string | undefined> {
  if (!existsSync(path)) return undefined;
  const hash = createHash('sha256');
  for await (const chunk of readParts([path])) hash.update(chunk);
  return hash.digest('hex');
}

function refuseTaken({ models }: Contents, library: Parts['library']): void {
  const ids = library.artifacts().map(({ id }) => id);
  const taken = models.find(({ manifest }) => ids.includes(manifest.id));
  if (!taken) return;
  const { id } = taken.manifest;
  throw new Failure('already_exists', `A model "${id}" already exists. Nothing was imported.`, {
    details: { fix: `askd rm --force ${id}` },
  });
}

function refuseFull(folder: string, bytes: number): void {
  makeFolder(folder);
  const { bavail, bsize } = statfsSync(folder);
  if (bavail * bsize > bytes) return;
  throw new Failure(
    'disk_full',
    `The models take ${bytes} bytes, but only ${bavail * bsize} are free in ${folder}. Nothing was imported.`,
  );
}
