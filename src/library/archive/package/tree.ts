import { existsSync, lstatSync, readFileSync, realpathSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import { Failure } from '../../../base/errors.ts';
import type { EngineModules } from '../../engines/place.ts';

/** A file or link, and its path in the tree, with slashes. */
export type TreeFile = { path: string; absolute: string };

/** `root` is askd's own folder in the tree: npm may put its dependencies inside or beside it. */
export type PackageTree = { root: string; files: TreeFile[] };

type PackageFile = {
  files?: string[];
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  peerDependenciesMeta?: Record<string, { optional?: boolean }>;
};

const ALWAYS = ['package.json', 'README.md', 'LICENSE'];

/** Builds for graphics cards take more space than everything else, and are optional in every engine. */
const GPU_BUILD = /-(cuda|vulkan)(-ext)?$/;

export type PackageParts = {
  packageRoot: string;
  engines: readonly EngineModules[];
  /** Whether the engines' builds for graphics cards are included. */
  withGpu: boolean;
};

/** An installed askd with everything that it needs to run, as Node finds it, without development dependencies. */
export async function collectPackage({ packageRoot, engines, withGpu }: PackageParts): Promise<PackageTree> {
  const isWanted = (name: string) => withGpu || !GPU_BUILD.test(name);
  const root = realpathSync(packageRoot);
  const modules = join(root, 'node_modules');
  const own = engines.filter((engine) => engine.modules === modules);
  const { folders, links } = follow(
    root,
    own.flatMap(({ packages }) => packages.filter(isWanted).map((name) => join(modules, name))),
    isWanted,
  );
  const base = commonFolder([root, ...folders, ...links]);
  const pathOf = (absolute: string) => slashed(relative(base, absolute));
  const absolutes = [...(await ownFiles(root)), ...links, ...(await filesOfAll(folders))];
  const files = absolutes.map((absolute) => ({ absolute, path: pathOf(absolute) }));
  for (const { modules: home, packages } of engines.filter((each) => !own.includes(each)))
    files.push(...(await filesOfHome(home, packages.filter(isWanted), pathOf(modules))));
  return { root: pathOf(root), files: files.toSorted(byPath) };
}

/** The folders of all packages that these need, and the links by which Node finds them. */
function follow(root: string, others: readonly string[], isWanted: (name: string) => boolean) {
  const folders = new Set([root]);
  const links = new Set<string>();
  const waiting = [root];
  const take = (found: string) => {
    if (lstatSync(found).isSymbolicLink()) links.add(found);
    const folder = realpathSync(found);
    if (folders.has(folder)) return;
    folders.add(folder);
    waiting.push(folder);
  };
  for (const other of others) take(other);
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    for (const { name, isRequired } of neededBy(folder).filter(({ name }) => isWanted(name))) {
      const found = nearest(folder, name);
      if (found !== undefined) take(found);
      else if (isRequired) throw incomplete(name, folder);
    }
  }
  folders.delete(root);
  return { folders: [...folders], links: [...links] };
}

function neededBy(folder: string): { name: string; isRequired: boolean }[] {
  const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } = read(folder);
  const peers = Object.keys(peerDependencies ?? {}).filter((name) => !peerDependenciesMeta?.[name]?.optional);
  const names = [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers];
  return names.map((name) => ({
    name,
    isRequired: dependencies?.[name] !== undefined && optionalDependencies?.[name] === undefined,
  }));
}

function read(folder: string): PackageFile {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as PackageFile;
}

function nearest(from: string, name: string): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    const found = join(folder, 'node_modules', name);
    if (existsSync(join(found, 'package.json'))) return found;
    if (folder === dirname(folder)) return undefined;
  }
}

/** The files of a clone that npm would publish; an installed askd consists of exactly those. */
async function ownFiles(root: string): Promise<string[]> {
  const wanted = (read(root).files ?? [])
    .filter((each) => !each.startsWith('!'))
    .map((each) => each.replace(/\/\*\.js$/, ''));
  const paths = [...wanted, ...ALWAYS].map((name) => join(root, name)).filter((path) => existsSync(path));
  const isFolder = (path: string) => lstatSync(path).isDirectory();
  const inside = await filesOfAll(paths.filter(isFolder));
  return [...paths.filter((path) => !isFolder(path)), ...inside].filter((path) => !path.endsWith('.map'));
}

/** An engine in the home, which askd also finds among its own packages. */
async function filesOfHome(modules: string, packages: readonly string[], into: string): Promise<TreeFile[]> {
  const files = await filesOfAll(packages.map((name) => join(modules, name)));
  return files.map((absolute) => ({ absolute, path: `${into}/${slashed(relative(modules, absolute))}` }));
}

async function filesOfAll(folders: readonly string[]): Promise<string[]> {
  const files: string[] = [];
  for (const folder of folders) files.push(...(await filesOf(folder)));
  return files;
}

/** Packages nested in a package are found as its dependencies. */
async function filesOf(folder: string, isTop = true): Promise<string[]> {
  const files: string[] = [];
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (!entry.isDirectory()) files.push(path);
    else if (!(isTop && entry.name === 'node_modules') && !isOfOtherPlatform(path))
      files.push(...(await filesOf(path, false)));
  }
  return files;
}

/** Some packages contain the builds for every platform: 700 MB that do not run here. */
function isOfOtherPlatform(path: string): boolean {
  const [, ofPrebuilds] = /[\\/]prebuilds[\\/]((?:android|darwin|ios|linux|win32)-[^\\/]+)$/.exec(path) ?? [];
  if (ofPrebuilds !== undefined)
    return !ofPrebuilds.startsWith(process.platform) || !ofPrebuilds.includes(process.arch);
  const parts = /[\\/]onnxruntime-node[\\/]bin[\\/]napi-v\d+[\\/](\w+)(?:[\\/](\w+))?$/.exec(path);
  if (parts === null) return false;
  const [, platform, arch = process.arch] = parts;
  return platform !== process.platform || arch !== process.arch;
}

/** The common parent folder: never a node_modules folder itself, in which Node would not look. */
function commonFolder([first = '', ...others]: readonly string[]): string {
  let base = first;
  while (others.some((each) => !each.startsWith(base + sep)) || basename(base) === 'node_modules')
    base = dirname(base);
  return base;
}

function byPath(a: TreeFile, b: TreeFile): number {
  return a.path < b.path ? -1 : 1;
}

function slashed(path: string): string {
  return path.split(sep).join('/');
}

function incomplete(name: string, folder: string): Failure {
  return new Failure('install_incomplete', `The package ${name} of ${folder} is not installed.`, {
    details: { fix: 'npm install' },
  });
}
