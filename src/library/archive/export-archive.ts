import { existsSync, statSync } from 'node:fs';
import { open, rename, rm, type FileHandle } from 'node:fs/promises';
import { dirname, isAbsolute } from 'node:path';
import { Failure } from '../../base/errors.ts';
import { makeFolder } from '../../base/make-folder.ts';
import type { ModelManifest } from '../../runtime/manifest.ts';
import type { Library } from '../library.ts';
import { findServiceModel } from '../service-models.ts';
import { collectModel, describeFile, memberName } from './collect.ts';
import type { ArchivedFile, ArchivedModel, Contents } from './contents.ts';
import { layOut } from './layout.ts';
import { partPath } from './parts.ts';
import type { ArchivedSettings, CarriedSetting } from './settings.ts';

export type ExportRequest = {
  path: string;
  names: readonly string[];
  splitBytes?: number | undefined;
  settings: ArchivedSettings;
};

export type ArchiveProgress = {
  state: 'hashing' | 'writing' | 'verifying';
  bytes: number;
  bytesTotal: number;
  /** What will become of those in the archive, before any is taken. */
  settings?: readonly CarriedSetting[];
};
/** `left` are services of models that every askd brings along. */
export type Exported = {
  files: string[];
  bytes: number;
  models: string[];
  services: string[];
  left: string[];
  settings: ArchivedSettings;
};

type Parts = Pick<Library, 'resolve' | 'aliasesOf' | 'findArtifact'>;

/** Writes models and what they are bound to into one archive. What an interrupted export wrote is kept and continued. */
export async function* exportArchive(
  library: Parts,
  { path, names, splitBytes, settings }: ExportRequest,
  signal: AbortSignal,
): AsyncGenerator<ArchiveProgress, Exported> {
  refusePath(path, splitBytes);
  const { models, bindings, left } = choose(library, names);
  const { contents, sources } = yield* describe(library, { models, bindings, settings }, signal);
  const layout = layOut(contents, sources);
  const isSplit = splitBytes !== undefined && splitBytes < layout.bytes;
  const partBytes = isSplit ? splitBytes : layout.bytes;
  const paths = Array.from({ length: Math.ceil(layout.bytes / partBytes) }, (_, index) =>
    partPath(path, index, isSplit),
  );
  yield* write(paths, { layout, partBytes, signal });
  const services = bindings.map(({ service }) => service);
  return {
    ...{ files: paths, bytes: layout.bytes, services, left, settings },
    models: models.map(({ id }) => id),
  };
}

function refusePath(path: string, splitBytes: number | undefined): void {
  if (!isAbsolute(path))
    throw new Failure('invalid_value', `The path must be absolute: ${path}`, { param: 'path' });
  for (const each of [path, partPath(path, 0, true)]) {
    if (existsSync(each))
      throw new Failure('already_exists', `${each} already exists. Delete it, or choose another name.`, {
        param: 'path',
      });
  }
  if (splitBytes !== undefined && splitBytes < 1024 * 1024)
    throw new Failure('invalid_value', 'A part has at least 1 MiB.', { param: 'split_bytes' });
}

/** A service stands for the model that serves it, and takes its binding along. */
function choose(library: Parts, names: readonly string[]) {
  const models = new Map<string, ModelManifest>();
  const bindings: Contents['bindings'] = [];
  const left: string[] = [];
  for (const name of names) {
    const manifest = library.resolve(name);
    if (manifest.engine === 'upstream')
      throw new Failure(
        'model_capability_mismatch',
        `"${name}" is run by another server: there is nothing to export.`,
      );
    if (manifest.engine === 'script')
      throw new Failure(
        'model_capability_mismatch',
        `"${name}" is a file of scripted answers: copy ${manifest.path} instead.`,
      );
    if (manifest.tier === 'starter') {
      left.push(name);
      continue;
    }
    models.set(manifest.id, manifest);
    if (findServiceModel(name)) bindings.push({ service: name, artifact: manifest.id });
    const draft = manifest.draft && library.findArtifact(manifest.draft.id);
    if (draft && draft.tier !== 'starter') models.set(draft.id, draft);
  }
  if (models.size === 0)
    throw new Failure('invalid_value', `Nothing to export: ${left.join(', ')} ships with askd.`, {
      param: 'models',
    });
  return { models: [...models.values()], bindings, left };
}

type Chosen = {
  models: readonly ModelManifest[];
  bindings: Contents['bindings'];
  settings: ArchivedSettings;
};

async function* describe(library: Parts, { models, bindings, settings }: Chosen, signal: AbortSignal) {
  const collected = models.map((manifest) => ({ manifest, ...collectModel(manifest) }));
  const all = collected.flatMap(({ manifest, sources }) =>
    sources.map((source) => ({ ...source, model: manifest.id })),
  );
  const bytesTotal = all.reduce((sum, { absolute }) => sum + statSync(absolute).size, 0);
  const sources = new Map<ArchivedFile, string>();
  let bytes = 0;
  for (const [index, { absolute, path, model }] of all.entries()) {
    yield { state: 'hashing' as const, bytes, bytesTotal };
    const onBytes = (count: number) => void (bytes += count);
    const file = { member: memberName(index + 1, path), model, path };
    sources.set(await describeFile(file, absolute, { signal, onBytes }), absolute);
  }
  const archived = collected.map(({ manifest, model }): ArchivedModel => {
    const draft = models.find(({ id }) => id === manifest.draft?.id)?.id;
    return {
      manifest: model,
      aliases: library.aliasesOf(manifest.id),
      ...(draft !== undefined && { draft }),
    };
  });
  const contents: Contents = {
    format: 'askd-archive',
    version: 1,
    models: archived,
    bindings,
    files: [...sources.keys()],
    ...(Object.keys(settings).length > 0 && { settings }),
  };
  return { contents, sources };
}

type Writing = { layout: ReturnType<typeof layOut>; partBytes: number; signal: AbortSignal };

const PROGRESS_BYTES = 64 * 1024 * 1024;

async function* write(
  paths: readonly string[],
  { layout, partBytes, signal }: Writing,
): AsyncGenerator<ArchiveProgress> {
  makeFolder(dirname(paths[0] ?? ''));
  let written = await continueFrom(paths, layout.beginning);
  let shown = 0;
  let file: FileHandle | undefined;
  try {
    for await (let chunk of layout.readFrom(written, signal)) {
      signal.throwIfAborted();
      while (chunk.length > 0) {
        const index = Math.floor(written / partBytes);
        file ??= await open(unfinished(paths[index] ?? ''), 'a', 0o600);
        const piece = chunk.subarray(0, partBytes * (index + 1) - written);
        await file.writeFile(piece);
        written += piece.length;
        chunk = chunk.subarray(piece.length);
        if (written < partBytes * (index + 1) && written < layout.bytes) continue;
        await file.datasync();
        await file.close();
        file = undefined;
      }
      if (written - shown < PROGRESS_BYTES) continue;
      shown = written;
      yield { state: 'writing', bytes: written, bytesTotal: layout.bytes };
    }
  } finally {
    await file?.close();
  }
  for (const path of paths) await rename(unfinished(path), path);
  yield { state: 'writing', bytes: written, bytesTotal: layout.bytes };
}

/** What an earlier export of exactly these contents wrote; of others it is thrown away. */
async function continueFrom(paths: readonly string[], beginning: Buffer): Promise<number> {
  const [first = ''] = paths;
  if (!(await beginsWith(unfinished(first), beginning))) {
    for (const path of paths) await removeUnfinished(path);
    return 0;
  }
  return paths.reduce(
    (sum, path) => sum + (statSync(unfinished(path), { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
}

async function beginsWith(path: string, beginning: Buffer): Promise<boolean> {
  if (!existsSync(path)) return false;
  await using file = await open(path, 'r');
  const { buffer, bytesRead } = await file.read(Buffer.alloc(beginning.length), 0, beginning.length, 0);
  return bytesRead === beginning.length && buffer.equals(beginning);
}

function unfinished(path: string): string {
  return `${path}.part`;
}

async function removeUnfinished(path: string): Promise<void> {
  await rm(unfinished(path), { force: true });
}
