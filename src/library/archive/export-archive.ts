import { existsSync, statSync } from 'node:fs';
import { open, rename, rm, type FileHandle } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';
import { Failure } from '../../base/errors.ts';
import { makeFolder } from '../../base/make-folder.ts';
import { needsRunner, type ModelManifest } from '../../runtime/manifest.ts';
import type { Library } from '../library.ts';
import { findServiceModel } from '../service-models.ts';
import { writeKit, type Kit, type KitRequest } from './package/kit.ts';
import { collectModel, describeFile, memberName } from './collect.ts';
import type { ArchivedBytes, ArchivedFile, ArchivedModel, Contents } from './contents.ts';
import { layOut } from './layout.ts';
import { partPath } from './parts.ts';
import type { ArchivedSettings, CarriedSetting } from './settings.ts';

export type ExportRequest = {
  path: string;
  names: readonly string[];
  splitBytes?: number | undefined;
  settings: ArchivedSettings;
  /** With askd itself and these optional engines. */
  install?: Pick<KitRequest, 'engines' | 'withGpu'> | undefined;
};

export type ArchiveProgress = {
  state: 'packing' | 'hashing' | 'writing' | 'verifying';
  bytes: number;
  bytesTotal: number;
  /** What would happen to each setting in the archive, before any is applied. */
  settings?: readonly CarriedSetting[];
};
/** `left` are services of models that ship with every askd. */
export type Exported = {
  files: string[];
  bytes: number;
  models: string[];
  services: string[];
  left: string[];
  settings: ArchivedSettings;
  kit?: Kit | undefined;
};

type Parts = Pick<Library, 'resolve' | 'aliasesOf' | 'findArtifact' | 'fallbacksOf' | 'isPresent'>;

/** Writes models and their bindings into one archive. An interrupted export is continued. */
export async function* exportArchive(
  library: Parts,
  { path, names, splitBytes, settings, install }: ExportRequest,
  signal: AbortSignal,
): AsyncGenerator<ArchiveProgress, Exported> {
  refusePath(path, splitBytes);
  const { left, ...chosen } = choose(library, names);
  const { models, bindings } = chosen;
  if (models.length === 0 && install === undefined) throw nothingToExport(left);
  const folder = `${path}.install`;
  try {
    const imports = models.length > 0 || Object.keys(settings).length > 0;
    const kit = install && (yield* pack({ folder, archive: path, imports, ...install }, signal));
    const described = yield* describe(library, { ...chosen, settings, folder, kit }, signal);
    const layout = layOut(described.contents, described.sources);
    const files = yield* write({ path, layout, splitBytes, signal });
    return {
      ...{ files, bytes: layout.bytes, left, settings, kit },
      models: models.map(({ id }) => id),
      services: bindings.map(({ service }) => service),
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
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
    throw new Failure('invalid_value', 'A part must have at least 1 MiB.', { param: 'split_bytes' });
}

/** A service stands for the model that serves it, and includes its binding. */
function choose(library: Parts, names: readonly string[]) {
  const models = new Map<string, ModelManifest>();
  const bindings: Contents['bindings'] = [];
  const left: string[] = [];
  for (const name of names) {
    const manifest = library.resolve(name);
    if (manifest.engine === 'upstream')
      throw new Failure(
        'model_capability_mismatch',
        `"${name}" runs on another server, so there is nothing to export.`,
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
    const fallbacks = fallbacksFor(library, name);
    for (const each of [manifest, ...fallbacks]) {
      if (each.tier === 'starter') continue;
      models.set(each.id, each);
      const draft = each.draft && library.findArtifact(each.draft.id);
      if (draft && draft.tier !== 'starter') models.set(draft.id, draft);
    }
    if (!findServiceModel(name)) continue;
    const ids = fallbacks.map(({ id }) => id);
    bindings.push({ service: name, artifact: manifest.id, ...(ids.length > 0 && { fallbacks: ids }) });
  }
  return { models: [...models.values()], bindings, left };
}

/** Artifacts whose files are here: models on another server are only reachable from this machine. */
function fallbacksFor(library: Parts, name: string): ModelManifest[] {
  return library.fallbacksOf(name).flatMap((id) => {
    const each = library.findArtifact(id);
    return each && needsRunner(each) && library.isPresent(each) ? [each] : [];
  });
}

function nothingToExport(left: readonly string[]): Failure {
  const why = left.length === 0 ? 'Name a model or a service' : `${left.join(', ')} ships with askd`;
  return new Failure('invalid_value', `Nothing to export: ${why}. With --install, askd itself is exported.`, {
    param: 'models',
  });
}

async function* pack(request: KitRequest, signal: AbortSignal): AsyncGenerator<ArchiveProgress, Kit> {
  const packing = writeKit(request, signal);
  for (;;) {
    const { done, value } = await packing.next();
    if (done === true) return value;
    yield { state: 'packing', ...value };
  }
}

type Chosen = {
  models: readonly ModelManifest[];
  bindings: Contents['bindings'];
  settings: ArchivedSettings;
  kit: Kit | undefined;
  /** The files of the kit. */
  folder: string;
};

async function* describe(
  library: Parts,
  { models, bindings, settings, kit, folder }: Chosen,
  signal: AbortSignal,
) {
  const collected = models.map((manifest) => ({ manifest, ...collectModel(manifest) }));
  const all = collected.flatMap(({ manifest, sources }) =>
    sources.map((source) => ({ ...source, model: manifest.id })),
  );
  const bytesTotal = all.reduce((sum, { absolute }) => sum + statSync(absolute).size, 0);
  const sources = new Map<ArchivedBytes, string>();
  const install: ArchivedBytes[] = [];
  for (const name of kit?.files ?? []) {
    const source = join(folder, name);
    const file = await describeFile({ member: `install/${name}` }, source, { signal });
    sources.set(file, source);
    install.push(file);
  }
  const files: ArchivedFile[] = [];
  let bytes = 0;
  for (const [index, { absolute, path, model }] of all.entries()) {
    yield { state: 'hashing' as const, bytes, bytesTotal };
    const onBytes = (count: number) => void (bytes += count);
    const file = { member: memberName(index + 1, path), model, path };
    const described = await describeFile(file, absolute, { signal, onBytes });
    sources.set(described, absolute);
    files.push(described);
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
    files,
    ...(install.length > 0 && { install }),
    ...(Object.keys(settings).length > 0 && { settings }),
  };
  return { contents, sources };
}

type Writing = {
  path: string;
  layout: ReturnType<typeof layOut>;
  splitBytes: number | undefined;
  signal: AbortSignal;
};

const PROGRESS_BYTES = 64 * 1024 * 1024;

async function* write({
  path,
  layout,
  splitBytes = Infinity,
  signal,
}: Writing): AsyncGenerator<ArchiveProgress, string[]> {
  const partBytes = Math.min(splitBytes, layout.bytes);
  const paths = Array.from({ length: Math.ceil(layout.bytes / partBytes) }, (_, index) =>
    partPath(path, index, partBytes < layout.bytes),
  );
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
  return paths;
}

/** What an earlier export of exactly these contents wrote; any other is discarded. */
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
