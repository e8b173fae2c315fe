import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { packagedFile } from '../../../src/base/paths.ts';
import type { ModelCard, ModelManifest } from '../../../src/runtime/manifest.ts';

type Described = Omit<ModelManifest, 'path' | 'bytes' | 'card' | 'hub' | 'tier' | 'licence'> & {
  /** Of `models/starter`. */
  folder: string;
  /** Where its files are, if they are in a package of their own. */
  weights?: string;
  /** Apache-2.0 if absent. */
  licence?: string;
  /** The file that the engine opens, if it does not open the folder. */
  file?: string;
};

const CARD = 'card.json';

/** The manifest of a model that ships with askd and is used in place. The card beside its files lists them. */
export function starterModel({ folder: name, weights, file, ...described }: Described): ModelManifest {
  const own = packagedFile(join('models', 'starter', name));
  const folder = weights ?? own;
  const card = readCard(own, folder);
  const bytes = Object.keys(card?.files ?? {}).reduce((sum, path) => sum + sizeOf(join(folder, path)), 0);
  return {
    licence: 'Apache-2.0',
    ...described,
    tier: 'starter',
    path: file === undefined ? folder : join(folder, file),
    bytes,
    ...(card && { card }),
  };
}

function readCard(own: string, folder: string): ModelCard | undefined {
  const path = join(own, CARD);
  if (!existsSync(path)) return undefined;
  return { ...(JSON.parse(readFileSync(path, 'utf8')) as Omit<ModelCard, 'folder'>), folder };
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
