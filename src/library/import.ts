import { constants } from 'node:fs';
import { copyFile, mkdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';
import { Failure } from '../errors.ts';
import type { ModelManifest } from '../runtime/manifest.ts';
import { ggufAbilities } from './gguf-abilities.ts';
import { readGgufHeader } from './gguf-header.ts';

export type ImportOptions = {
  id: string;
  path: string;
  /** `link` uses the file where it is. */
  mode: 'link' | 'copy';
  modelsFolder: string;
};

export async function importFile({ id, path, mode, modelsFolder }: ImportOptions): Promise<ModelManifest> {
  const bytes = await measure(path);
  const header = readGgufHeader(path);
  const abilities = ggufAbilities(header);
  if (!abilities) {
    const message = `${path} holds a ${header.architecture} model that neither chats nor makes one vector of a text.`;
    throw new Failure('invalid_model_file', message, { param: 'path' });
  }
  return {
    id,
    name: header.name ?? id,
    engine: 'llama',
    ...abilities,
    services: [],
    tier: 'imported',
    licence: header.licence ?? 'unknown',
    path: mode === 'copy' ? await copyInto(modelsFolder, { id, path }) : path,
    bytes,
    contextTokensMax: header.contextTokensMax,
  };
}

async function measure(path: string): Promise<number> {
  if (!isAbsolute(path))
    throw new Failure('invalid_value', `The path must be absolute: ${path}`, { param: 'path' });
  const found = await stat(path).catch(() => undefined);
  if (!found) throw new Failure('not_found', `There is no file ${path}.`, { param: 'path' });
  if (!found.isFile())
    throw new Failure('invalid_value', `${path} is not a file. Give a .gguf file.`, { param: 'path' });
  return found.size;
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
