import { existsSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import type { ModelStores } from '../../../config/model-stores.ts';
import type { Candidate } from '../candidate.ts';
import { ggufModelsIn } from '../folder.ts';

/** `publisher/repository/file.gguf` in the folder that its settings name. */
export function findInLmStudio({ pointer, homes }: ModelStores['lmStudio']): Candidate[] {
  const pointed = existsSync(pointer) ? readFileSync(pointer, 'utf8').trim().split('\n')[0] : undefined;
  const all = [...new Set([...(pointed ? [pointed] : []), ...homes])];
  const folders = all.flatMap((home) => [
    join(home, 'models'),
    ...chosenFolder(join(home, 'settings.json')),
    join(home, '.internal', 'bundled-models'),
  ]);
  return [...new Set(folders)].flatMap((folder) =>
    ggufModelsIn(folder).map((model) => {
      const name = relative(folder, model.path)
        .split(sep)
        .join('/')
        .replace(/\.gguf$/i, '');
      return { program: 'lm-studio' as const, name, ...model };
    }),
  );
}

function chosenFolder(settings: string): string[] {
  if (!existsSync(settings)) return [];
  try {
    const { downloadsFolder } = JSON.parse(readFileSync(settings, 'utf8')) as { downloadsFolder?: unknown };
    return typeof downloadsFolder === 'string' && downloadsFolder !== '' ? [downloadsFolder] : [];
  } catch {
    return [];
  }
}
