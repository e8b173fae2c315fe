import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { explainInstall } from './install-failure.js';
import { ROOT, runQuietly, timed } from './processes.js';
import { withSetupLock } from './setup-lock.js';

const LOCK = join(ROOT, '.setup-lock');
const INSTALL_STAMP = join(ROOT, 'node_modules', '.askd-installed');
const INSTALL_LOG = 'npm-install.log';
const BUILD_STAMP = join(ROOT, 'dist', '.askd-built');
const SOURCES = ['src', 'daemon', 'cli', 'models', 'scripts'];
const BUILD_INPUTS = [...SOURCES, 'tsconfig.json', 'tsconfig.build.json', 'package-lock.json'];

/**
 * Installs the packages that package-lock.json names, unless they are already there. Needs nothing installed itself.
 */
export async function ensureInstalled() {
  checkNode();
  if (isInstalled()) return;
  await withSetupLock(LOCK, async () => {
    if (isInstalled()) return;
    if (!(await isInstalledByHand())) await timed('Installing packages (npm ci, a minute or two)', install);
    writeFileSync(INSTALL_STAMP, installWanted());
  });
}

/** Compiles the sources into dist, unless nothing has changed since the last time. */
export async function ensureBuilt() {
  if (isBuilt()) return;
  await withSetupLock(LOCK, async () => {
    if (isBuilt()) return;
    // Read before the compiler reads: a file saved in the meantime makes the next run build again.
    const wanted = buildWanted();
    await timed('Building askd (tsc, rolldown, vite)', build);
    writeFileSync(BUILD_STAMP, wanted);
  });
}

function checkNode() {
  const { engines } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const wanted = engines.node
    .replace(/[^\d.]/g, '')
    .split('.')
    .map(Number);
  const actual = process.versions.node.split('.').map(Number);
  const isOlder = actual[0] < wanted[0] || (actual[0] === wanted[0] && actual[1] < (wanted[1] ?? 0));
  if (isOlder)
    throw new Error(`askd needs Node ${wanted.join('.')} or newer; this is ${process.versions.node}.`);
}

function isInstalled() {
  const modules = lstatSync(join(ROOT, 'node_modules'), { throwIfNoEntry: false });
  // A linked folder is shared with another clone, which maintains it.
  if (modules?.isSymbolicLink()) return true;
  return readIfThere(INSTALL_STAMP) === installWanted();
}

/** Native packages are compiled for one Node ABI, so another Node needs another install. */
function installWanted() {
  const { platform, arch, versions } = process;
  return `${hashOf(['package-lock.json'])} ${platform}-${arch} abi-${versions.modules}\n`;
}

/** npm keeps its own record of what it installed; the one package compiled for this Node must also load. */
async function isInstalledByHand() {
  const { packages: wanted } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
  const record = readIfThere(join(ROOT, 'node_modules', '.package-lock.json'));
  const { packages: actual } = JSON.parse(record ?? '{"packages":{}}');
  const isThere = ([path, { version, optional }]) =>
    path === '' || (actual[path] === undefined ? optional === true : actual[path].version === version);
  if (!Object.entries(wanted).every(isThere)) return false;
  const sqlite =
    Number(process.versions.node.split('.')[0]) < 22 ? 'better-sqlite3-node20' : 'better-sqlite3';
  const { code } = await runQuietly(process.execPath, ['-e', `new (require('${sqlite}'))(':memory:')`]);
  return code === 0;
}

async function install() {
  // The script of onnxruntime-node fetches CUDA libraries from outside the registry; npm 11 skips it by allowScripts.
  const env = { ONNXRUNTIME_NODE_INSTALL: 'skip', ...headersBeside(process.execPath, process.version) };
  let result = await npm('ci', env);
  if (result.code !== 0 && /EUSAGE/.test(result.stderr)) result = await npm('install', env);
  if (result.code === 0) return;
  throw new Error(installFailure(`${result.stdout}${result.stderr}`));
}

/** One line if the cause is known, with npm's own output in a file; otherwise all of it. */
function installFailure(output) {
  const explained = explainInstall(output);
  if (explained === undefined)
    return `${output}\nThe packages could not be installed. By hand: ONNXRUNTIME_NODE_INSTALL=skip npm ci`;
  writeFileSync(join(ROOT, INSTALL_LOG), output);
  return `The packages could not be installed: ${explained}\nThe whole output of npm is in ${INSTALL_LOG}.`;
}

/** The headers that came with this Node, which node-gyp would otherwise download to compile a package. */
export function headersBeside(execPath, version, env = process.env) {
  const isNamed = Object.keys(env).some((name) => name.toLowerCase() === 'npm_config_nodedir');
  const prefix = join(execPath, '..', '..');
  const text = readIfThere(join(prefix, 'include', 'node', 'node_version.h')) ?? '';
  const part = (name) => new RegExp(`#define NODE_${name}_VERSION (\\d+)`).exec(text)?.[1];
  const theirs = `v${part('MAJOR')}.${part('MINOR')}.${part('PATCH')}`;
  return isNamed || theirs !== version ? {} : { npm_config_nodedir: prefix };
}

/** Under `npm start` this is the same npm; on Windows it could not be found by its bare name. */
function npm(command, env) {
  const cli = process.env.npm_execpath;
  if (cli?.endsWith('.js')) return runQuietly(process.execPath, [cli, command], env);
  return runQuietly('npm', [command], env);
}

function isBuilt() {
  return readIfThere(BUILD_STAMP) === buildWanted();
}

function buildWanted() {
  return `${hashOf(BUILD_INPUTS.flatMap(filesIn).filter((path) => !path.endsWith('.md')))}\n`;
}

async function build() {
  const dist = join(ROOT, 'dist');
  // Without a stamp, nobody knows what dist contains.
  if (!existsSync(BUILD_STAMP)) rmSync(dist, { recursive: true, force: true });
  mkdirSync(dist, { recursive: true });
  // A failed build leaves new output behind, even for someone who then reverts the change.
  writeFileSync(BUILD_STAMP, 'unfinished\n');
  removeOrphans(dist);
  await runStep('node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json');
  await runStep('dist/scripts/package/write-bundle.js');
  copyPages(dist);
  await runStep('node_modules/vite/bin/vite.js', 'build', '--config', 'daemon/console/web/vite.config.ts');
  writeFileSync(join(dist, 'askd.1'), await runStep('bin/askd.js', 'help', 'man'));
  await runStep('dist/scripts/package/write-client-types.js');
}

/** Files that browsers get as they are: the compiler skips them. */
function copyPages(dist) {
  const isServed = (path) => !/\.ts$|[\\/]console[\\/]web([\\/]|$)/.test(path);
  cpSync(join(ROOT, 'daemon', 'console'), join(dist, 'pages'), { recursive: true, filter: isServed });
}

async function runStep(...args) {
  const { code, stdout, stderr } = await runQuietly(process.execPath, args);
  if (code !== 0)
    throw new Error(`${stdout}${stderr}\nThe build failed. Mend what stands above, then: npm run build`);
  return stdout;
}

/** The output of a deleted source file would still be found and run. */
function removeOrphans(dist) {
  for (const path of SOURCES.flatMap((folder) => filesIn(join('dist', folder)))) {
    const source = join(ROOT, path.slice('dist/'.length)).replace(/\.js(\.map)?$/, '');
    const isCompiled = /\.js(\.map)?$/.test(path);
    if (isCompiled && !existsSync(`${source}.ts`) && !existsSync(`${source}.tsx`))
      rmSync(join(dist, '..', path));
  }
}

function hashOf(paths) {
  const hash = createHash('sha256');
  for (const path of paths) hash.update(`${path}\n`).update(readFileSync(join(ROOT, path)));
  return hash.digest('hex');
}

/** The files at or under a path, relative to the root, in the same order on every machine. */
function filesIn(path) {
  const stats = lstatSync(join(ROOT, path), { throwIfNoEntry: false });
  if (stats === undefined) return [];
  if (!stats.isDirectory()) return [path];
  return readdirSync(join(ROOT, path))
    .sort()
    .flatMap((name) => filesIn(join(path, name)));
}

function readIfThere(path) {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}
