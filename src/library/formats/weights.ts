import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../../base/errors.ts';
import { isDrawingFolder } from './image-model-folder.ts';
import { isFirstShard, isLaterShard } from './shards.ts';

/** The weights behind a path: the file itself, or the one model that a folder contains or is. */
export function findWeights(path: string, mode: 'link' | 'copy'): string {
  const found = statSync(path, { throwIfNoEntry: false });
  const file = found?.isDirectory() ? onlyModelIn(path) : path;
  if (mode === 'copy' && isFirstShard(file)) {
    throw new Failure(
      'unsupported_parameter',
      `${file} is one part of a split model. Use it in place: --link`,
      {
        param: 'mode',
      },
    );
  }
  return file;
}

/** The projector of a vision model, if a folder has exactly one. */
export function findProjector(path: string): string | undefined {
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) return undefined;
  const names = readdirSync(path).filter((name) => /mmproj.*\.gguf$/i.test(name));
  return names.length === 1 ? join(path, names[0] ?? '') : undefined;
}

function onlyModelIn(folder: string): string {
  if (isDrawingFolder(folder)) return folder;
  const names = readdirSync(folder).filter((name) => /\.gguf$/i.test(name) && !/mmproj/i.test(name));
  const models = names.filter((name) => isFirstShard(name) || !isLaterShard(name));
  const [only] = models;
  if (only !== undefined && models.length === 1) return join(folder, only);
  // ONNX models are whole folders with a configuration.
  if (models.length === 0 && existsSync(join(folder, 'config.json'))) return folder;
  const what = models.length === 0 ? 'has no GGUF model' : `has several models: ${models.sort().join(', ')}`;
  throw new Failure(
    'invalid_value',
    `The folder ${folder} ${what}. Give the path of a .gguf file, or of a folder with config.json and onnx/.`,
    {
      param: 'path',
    },
  );
}
