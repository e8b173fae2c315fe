import { constants, statSync, type Stats } from 'node:fs';
import { copyFile, cp, mkdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';
import { Failure } from '../base/errors.ts';
import type { EngineName, ModelManifest } from '../runtime/manifest.ts';
import { isDrawingFolder, readDrawingFolder } from './formats/image-model-folder.ts';
import { ggufAbilities, whyNotUsable } from './formats/gguf-abilities.ts';
import { readOnnxFolder } from './formats/onnx-folder.ts';
import { readGgufHeader } from './formats/gguf-header.ts';
import { ggufObstacle } from './formats/gguf-obstacle.ts';
import { isGguf } from './formats/gguf-reader.ts';
import { shardsOf } from './formats/shards.ts';

export type ImportOptions = {
  id: string;
  path: string;
  /** The projector that lets a language model read images. */
  projector?: string | undefined;
  /** `link` uses the file where it is. */
  mode: 'link' | 'copy';
  /** The engine that must run it; detected from its files if absent. */
  engine?: EngineName | undefined;
  modelsFolder: string;
};

/** Imports a GGUF file, or a folder of ONNX files. */
export async function importFile(options: ImportOptions): Promise<ModelManifest> {
  const { id, path, projector, mode, modelsFolder } = options;
  const found = await find(path);
  if (found.isDirectory()) return importFolder(options);
  const projectorBytes = projector === undefined ? 0 : await checkProjector(projector);
  const bytes = sizeOfAll(shardsOf(path));
  const header = readGgufHeader(path);
  const abilities = ggufAbilities(header);
  const obstacle = ggufObstacle(path);
  if (!abilities || obstacle !== undefined) {
    const why = obstacle ?? whyNotUsable(header.architecture);
    throw new Failure('invalid_model_file', `${path} cannot be served: ${why}.`, { param: 'path' });
  }
  const engine = projector === undefined ? 'llama' : 'vision';
  checkEngine(options, engine);
  return {
    id,
    name: header.name ?? id,
    engine,
    ...abilities,
    ...(projector !== undefined && { tasks: ['chat'] as const }),
    services: [],
    tier: 'imported',
    licence: header.licence ?? 'unknown',
    path: mode === 'copy' ? await copyInto(modelsFolder, { id, path }) : path,
    ...(projector !== undefined && {
      files: {
        projector:
          mode === 'copy'
            ? await copyInto(modelsFolder, { id: `${id}-projector`, path: projector })
            : projector,
      },
    }),
    bytes: bytes + projectorBytes,
    contextTokensMax: header.contextTokensMax,
  };
}

/** Its content is checked by the engine that loads it. */
async function checkProjector(path: string): Promise<number> {
  const { size } = await find(path);
  if (/\.gguf$/i.test(path) || isGguf(path)) return size;
  throw new Failure('invalid_model_file', `${path} is not a GGUF projector file.`, {
    param: 'projector',
  });
}

function sizeOfAll(paths: readonly string[]): number {
  return paths.reduce((sum, path) => sum + (statSync(path, { throwIfNoEntry: false })?.size ?? 0), 0);
}

async function importFolder(options: ImportOptions): Promise<ModelManifest> {
  const { id, path, mode, modelsFolder } = options;
  const read = isDrawingFolder(path) ? readDrawingFolder : readWholeFolder;
  const facts = read(path);
  checkEngine(options, facts.engine);
  const target = mode === 'copy' ? await copyFolder(modelsFolder, { id, path }) : path;
  return { id, ...(target === path ? facts : read(target)), services: [], tier: 'imported' };
}

function readWholeFolder(path: string) {
  return { ...readOnnxFolder(path), path };
}

/** The files decide: askd must not promise an engine that cannot read them. */
function checkEngine({ path, engine }: ImportOptions, actual: EngineName): void {
  if (engine === undefined || engine === actual) return;
  throw new Failure('invalid_value', `${path} is for the engine "${actual}", not for "${engine}".`, {
    param: 'engine',
  });
}

async function find(path: string): Promise<Stats> {
  if (!isAbsolute(path))
    throw new Failure('invalid_value', `The path must be absolute: ${path}`, { param: 'path' });
  const found = await stat(path).catch(() => undefined);
  if (!found) throw new Failure('not_found', `The file ${path} does not exist.`, { param: 'path' });
  if (found.isFile() || found.isDirectory()) return found;
  const message = `${path} is neither a file nor a folder. Give a .gguf file, or a folder with ONNX files.`;
  throw new Failure('invalid_value', message, { param: 'path' });
}

async function copyFolder(folder: string, { id, path }: { id: string; path: string }): Promise<string> {
  const target = join(folder, id);
  const partial = `${target}.partial`;
  await mkdir(dirname(target), { recursive: true, mode: 0o700 });
  try {
    await cp(path, partial, { recursive: true, mode: constants.COPYFILE_FICLONE, dereference: true });
    await rm(target, { recursive: true, force: true });
    await rename(partial, target);
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
  return target;
}

async function copyInto(folder: string, { id, path }: { id: string; path: string }): Promise<string> {
  const target = join(folder, `${id}.gguf`);
  const partial = `${target}.partial`;
  await mkdir(dirname(target), { recursive: true, mode: 0o700 });
  try {
    await copyFile(path, partial, constants.COPYFILE_FICLONE);
    await rename(partial, target);
  } finally {
    await rm(partial, { force: true });
  }
  return target;
}
