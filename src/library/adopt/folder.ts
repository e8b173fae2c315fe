import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isFirstShard, isLaterShard } from '../formats/shards.ts';

const DEPTH_MAX = 6;
const FILES_MAX = 10_000;
const PROJECTOR = /mmproj/i;

export type GgufModel = { path: string; projector?: string };

/** The models in a folder and its subfolders: split ones once, each with the projector beside it. */
export function ggufModelsIn(folder: string): GgufModel[] {
  const files = filesIn(folder).filter((path) => /\.gguf$/i.test(path));
  const isProjector = (path: string) => PROJECTOR.test(basename(path));
  const models = files.filter((path) => !isProjector(path) && (isFirstShard(path) || !isLaterShard(path)));
  return models.map((path) => {
    const beside = files.filter((file) => isProjector(file) && dirname(file) === dirname(path));
    const projector = chooseProjector(path, beside, models);
    return { path, ...(projector !== undefined && { projector }) };
  });
}

/** The only projector of a folder with one model, otherwise the one named like the model. */
function chooseProjector(path: string, beside: readonly string[], models: readonly string[]) {
  const neighbours = models.filter((model) => dirname(model) === dirname(path));
  if (neighbours.length === 1) return beside.toSorted()[0];
  const stem = stemOf(path).toLowerCase();
  return beside.find((file) => {
    const rest = stemOf(file)
      .toLowerCase()
      .replace(/^mmproj[-_.]?(model[-_.])?/, '')
      .replace(/[-_.]?mmproj.*$/, '')
      .replace(/[-_.](bf16|f16|f32|q8_0)$/, '');
    return rest !== '' && stem.startsWith(rest);
  });
}

export function stemOf(path: string): string {
  return basename(path)
    .replace(/\.gguf$/i, '')
    .replace(/-00001-of-\d{5}$/, '');
}

/** Unreadable folders count as empty; links to files count as files. */
export function filesIn(folder: string, depth = 0): string[] {
  if (depth > DEPTH_MAX) return [];
  const files: string[] = [];
  for (const entry of entriesOf(folder)) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) files.push(...filesIn(path, depth + 1));
    else if (entry.isFile() || isLinkToFile(path)) files.push(path);
    if (files.length > FILES_MAX) return files;
  }
  return files;
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return [];
  }
}

function isLinkToFile(path: string): boolean {
  return existsSync(path) && statSync(path).isFile();
}
