import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { HubSettings } from '../../config/hub-settings.ts';
import type { HubEntry } from '../hub/client.ts';

export type OtherCaches = HubSettings['otherCaches'];

/** Where other programs on this machine would keep this file; its hash tells whether it is the same. */
export function findInOtherCaches({ repo, path, hash }: HubEntry, otherCaches: OtherCaches): string[] {
  const { ollama, lmStudio, llamaCpp } = otherCaches;
  const name = path.slice(path.lastIndexOf('/') + 1);
  const places = [
    ...(hash.kind === 'sha256' ? ollama.map((folder) => join(folder, 'blobs', `sha256-${hash.value}`)) : []),
    ...lmStudio.homes.map((folder) => join(folder, 'models', repo, name)),
    join(llamaCpp, `${repo.replaceAll('/', '_')}_${name}`),
    join(llamaCpp, name),
  ];
  return places.filter((place) => existsSync(place));
}
