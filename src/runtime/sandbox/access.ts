import { existsSync, lstatSync, mkdirSync, readdirSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { packageRoot } from '../../base/paths.ts';
import type { LoadOptions } from '../engine.ts';
import type { ModelManifest } from '../manifest.ts';

/** The files and folders of this machine that a runner sees, besides the system's libraries. */
export type Access = {
  read: readonly string[];
  write: readonly string[];
};

export type AccessOptions = {
  entry: string;
  manifest: ModelManifest;
  load: Pick<LoadOptions, 'modules' | 'pinnedPrompts'>;
  /** Where uploaded audio is stored, which a transcriber reads by path. */
  uploads: string;
};

/** What one load needs, and nothing of any other model. */
export function accessOf({ entry, manifest, load, uploads }: AccessOptions): Access {
  const { path, files = {}, draft, adapters = [], card, tasks } = manifest;
  const applied = adapters.map((adapter) => adapter.path);
  const own = [path, ...Object.values(files), ...applied, draft?.path, card?.folder].filter((file) =>
    isGiven(file),
  );
  const write = load.pinnedPrompts ? [load.pinnedPrompts.folder] : [];
  const shared = tasks.includes('transcribe') ? [uploads] : [];
  for (const folder of [...write, ...shared]) mkdirSync(folder, { recursive: true, mode: 0o700 });
  const read = [...programFolders(entry), load.modules, ...own.flatMap(withLinkTargets), ...shared];
  return { read: [...new Set(read.filter((file) => isGiven(file)))], write };
}

const isGiven = (file: string | undefined): file is string => file !== undefined && file !== '';

/** Node, askd, and every folder in which Node looks for packages from there. */
function programFolders(entry: string): string[] {
  const folders = [process.execPath, packageRoot];
  if (!entry.startsWith(packageRoot)) folders.push(dirname(entry));
  // A link cannot be mounted over, and is visible in its own folder.
  const own = join(packageRoot, 'node_modules');
  if (existsSync(own)) folders.push(realpathSync(own));
  for (let folder = dirname(packageRoot); folder !== dirname(folder); folder = dirname(folder)) {
    const modules = join(folder, 'node_modules');
    if (existsSync(modules)) folders.push(modules, realpathSync(modules));
  }
  return folders;
}

/** A downloaded file is a link into the hub's cache, and so is each file of a downloaded folder. */
function withLinkTargets(path: string): string[] {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats?.isSymbolicLink()) return partsOf(path).flatMap((part) => [part, realpathSync(part)]);
  if (stats?.isFile()) return partsOf(path);
  if (!stats?.isDirectory()) return [path];
  const links = readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isSymbolicLink(),
  );
  return [path, ...links.map((link) => realpathSync(join(link.parentPath, link.name)))];
}

/** llama.cpp opens the other parts of a split file by name. */
function partsOf(path: string): string[] {
  const [, name, count] = /^(.+)-\d{5}-of-(\d{5})\.gguf$/.exec(path) ?? [];
  if (name === undefined || count === undefined) return [path];
  const numbers = Array.from({ length: Number(count) }, (_, index) => String(index + 1).padStart(5, '0'));
  return numbers.map((number) => `${name}-${number}-of-${count}.gguf`).filter((part) => existsSync(part));
}
