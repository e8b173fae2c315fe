import { existsSync, readFileSync, type Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import matchers, { type Ignore } from 'ignore';

const FILES_MAX = 5000;
const FOLDERS_MAX = 2000;
const LEFT_OUT: ReadonlySet<string> = new Set(['.git', 'node_modules']);

/** The patterns of a .gitignore, for everything below its folder. */
type Rules = { folder: string; matcher: Ignore };

/**
 * The files below a folder, nearest first, as relative paths. Files that git ignores, and symbolic links, are left
 * out. If there are very many, the first ones.
 */
export async function listFiles(folder: string): Promise<string[]> {
  const found: string[] = [];
  let level: { path: string; rules: readonly Rules[] }[] = [{ path: folder, rules: rulesAbove(folder) }];
  let visited = 0;
  while (level.length > 0) {
    const next: typeof level = [];
    for (const { path, rules } of level) {
      if (found.length >= FILES_MAX || visited++ >= FOLDERS_MAX) return found.slice(0, FILES_MAX);
      const all = [...rules, ...rulesOf(path)];
      for (const entry of await entriesOf(path)) {
        const whole = join(path, entry.name);
        if (LEFT_OUT.has(entry.name) || isIgnored(whole, entry.isDirectory(), all)) continue;
        if (entry.isDirectory()) next.push({ path: whole, rules: all });
        else if (entry.isFile()) found.push(toSlashes(relative(folder, whole)));
      }
    }
    level = next;
  }
  return found.slice(0, FILES_MAX);
}

/** A folder that cannot be read has no files. */
async function entriesOf(path: string): Promise<Dirent[]> {
  const entries = await readdir(path, { withFileTypes: true }).catch(() => []);
  return entries.sort((left, right) => (left.name < right.name ? -1 : 1));
}

/** The folders between the root of the repository and this one. */
function rulesAbove(folder: string): Rules[] {
  const above: Rules[] = [];
  for (let at = folder; !existsSync(join(at, '.git'));) {
    const parent = dirname(at);
    if (parent === at) return [];
    above.unshift(...rulesOf(parent));
    at = parent;
  }
  return above;
}

function rulesOf(folder: string): Rules[] {
  try {
    return [
      {
        folder,
        matcher: matchers
          .default({ ignorecase: false })
          .add(readFileSync(join(folder, '.gitignore'), 'utf8')),
      },
    ];
  } catch {
    return [];
  }
}

/** The nearest .gitignore with a matching rule decides. */
function isIgnored(path: string, isFolder: boolean, rules: readonly Rules[]): boolean {
  for (const { folder, matcher } of [...rules].reverse()) {
    const { ignored, unignored } = matcher.test(toSlashes(relative(folder, path)) + (isFolder ? '/' : ''));
    if (ignored || unignored) return ignored;
  }
  return false;
}

function toSlashes(path: string): string {
  return sep === '/' ? path : path.split(sep).join('/');
}
