import { existsSync, readFileSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, sep } from 'node:path';
import { filesIn, ggufModelsIn, stemOf } from '../folder.ts';
import type { Candidate } from '../candidate.ts';

/** `owner_repository_file.gguf`, beside files of notes. */
export function findInLlamaCpp(folder: string): Candidate[] {
  return ggufModelsIn(folder).map((model) => ({
    program: 'llama.cpp' as const,
    name: stemOf(model.path),
    ...model,
  }));
}

export function findInGpt4All(folder: string): Candidate[] {
  return ggufModelsIn(folder).map((model) => ({
    program: 'gpt4all' as const,
    name: stemOf(model.path),
    ...model,
  }));
}

/** A `model.yml` for each model, which names its files relative to the data folder. */
export function findInJan(folders: readonly string[]): Candidate[] {
  return folders.flatMap((data) => {
    const models = join(data, 'llamacpp', 'models');
    return filesIn(models)
      .filter((path) => path.endsWith(`${sep}model.yml`))
      .map((path) => janModel(data, models, path));
  });
}

function janModel(data: string, models: string, path: string): Candidate {
  const text = readFileSync(path, 'utf8');
  const fileOf = (key: string) => {
    const value = yamlValue(text, key);
    return value === undefined ? undefined : isAbsolute(value) ? value : join(data, value);
  };
  const name = relative(models, dirname(path)).split(sep).join('/');
  const weights = fileOf('model_path');
  const projector = fileOf('mmproj_path');
  if (weights === undefined || !existsSync(weights))
    return {
      program: 'jan',
      name,
      path: weights ?? path,
      obstacle: 'its weights are not where model.yml says',
    };
  return { program: 'jan', name, path: weights, ...(projector !== undefined && { projector }) };
}

/** A flat text key; nothing else in these files matters. */
function yamlValue(text: string, key: string): string | undefined {
  const line = new RegExp(`^${key}:[ \\t]*(.+?)[ \\t]*$`, 'm').exec(text)?.[1];
  return line?.replace(/^(['"])(.*)\1$/, '$2');
}
