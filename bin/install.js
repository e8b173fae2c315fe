#!/usr/bin/env node
// Installs askd from the folder that `askd export --install` puts into an archive, where it is named install.mjs. It finds
// no askd and any Node: it uses nothing but Node and tar, and no syntax that would keep an old Node from saying it is old.
import { Buffer } from 'node:buffer';
import childProcess from 'node:child_process';
import crypto from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const HERE = path.dirname(fileURLToPath(import.meta.url));
const isWindows = process.platform === 'win32';
const USE = 'Usage: sh install/install.sh [ARCHIVE] [--prefix FOLDER]';

try {
  process.exitCode = main(process.argv.slice(2));
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}

function main(typed) {
  const { archive, prefix } = readArguments(typed);
  const kit = JSON.parse(fs.readFileSync(path.join(HERE, 'install.json'), 'utf8'));
  refuseNode(kit);
  refuseMachine(kit);
  refuseDamaged(kit);
  const folder = path.join(prefix, 'lib', 'askd');
  const askd = path.join(folder, kit.root, 'bin', 'askd.js');
  if (fs.existsSync(folder) && !fs.existsSync(askd))
    throw new Error(`${folder} is there already, and is no askd. Delete it, or choose another --prefix.`);
  const unpacked = unpack(kit, folder);
  refuseUnloadable(kit, unpacked);
  replace(folder, unpacked, askd);
  const bin = link(prefix, path.dirname(askd));
  console.log(`Installed askd ${kit.version} in ${folder}.`);
  if (!(process.env.PATH || '').split(path.delimiter).includes(bin))
    console.log(`Its programs are in ${bin}, which is not on your PATH: export PATH="${bin}:$PATH"`);
  if (!kit.imports) return 0;
  if (archive === undefined) {
    console.log('Next: askd import ARCHIVE');
    return 0;
  }
  const args = [askd, 'import', archive];
  const { status } = childProcess.spawnSync(process.execPath, args, { stdio: 'inherit' });
  return status === null ? 1 : status;
}

function readArguments(typed) {
  const rest = typed.slice();
  const at = rest.indexOf('--prefix');
  const [, given] = at === -1 ? [] : rest.splice(at, 2);
  if ((at !== -1 && given === undefined) || rest.length > 1 || rest.some((each) => each.startsWith('-')))
    throw new Error(USE);
  const [archive] = rest;
  if (archive !== undefined && !fs.existsSync(archive) && !fs.existsSync(archive + '.001'))
    throw new Error(`There is no file ${path.resolve(archive)}. Nothing was installed.`);
  return { archive: archive && path.resolve(archive), prefix: path.resolve(given || defaultPrefix()) };
}

function defaultPrefix() {
  if (isWindows) return path.join(process.env.LOCALAPPDATA || os.homedir(), 'Programs', 'askd');
  return path.join(os.homedir(), '.local');
}

function refuseNode({ node_min: min, version }) {
  const found = process.versions.node;
  if (!isOlder(found, min)) return;
  throw new Error(
    `askd ${version} needs Node.js ${min} or later, and this is ${found} (${process.execPath}).\n` +
      'Bring a newer one along too: https://nodejs.org. Nothing was installed.',
  );
}

function refuseMachine({ platform, libc }) {
  const here = `${process.platform}-${process.arch}`;
  if (here !== platform)
    throw new Error(
      `This archive is for ${platform}, and this machine is ${here}. Write one on a machine of its kind.`,
    );
  if (libc === null) return;
  const { glibcVersionRuntime: glibc } = process.report.getReport().header;
  const [name, version] = libc.split(' ');
  if ((glibc === undefined ? 'musl' : 'glibc') !== name)
    throw new Error(
      `This archive is for Linux with ${name}, and this machine has another C library. Write one on a machine of its kind.`,
    );
  if (glibc !== undefined && isOlder(glibc, version))
    console.error(
      `note: glibc is ${glibc} here, and was ${version} where the archive was written. If an engine does not load: askd doctor`,
    );
}

function isOlder(found, wanted) {
  const [a, b] = [found, wanted].map((each) => each.split('.').map(Number));
  return a[0] < b[0] || (a[0] === b[0] && a[1] < b[1]);
}

function refuseDamaged({ sha256 }) {
  const hash = crypto.createHash('sha256');
  const file = fs.openSync(path.join(HERE, 'askd.tgz'), 'r');
  const buffer = Buffer.alloc(4 * 1024 * 1024);
  for (let read = 1; read > 0;) {
    read = fs.readSync(file, buffer, 0, buffer.length, null);
    hash.update(buffer.subarray(0, read));
  }
  fs.closeSync(file);
  if (hash.digest('hex') !== sha256)
    throw new Error(
      'install/askd.tgz is damaged: unpack the archive again, or copy it again. Nothing was installed.',
    );
}

function unpack({ unpacked_bytes: bytes }, folder) {
  const target = `${folder}.new`;
  fs.rmSync(target, { recursive: true, force: true });
  fs.mkdirSync(target, { recursive: true });
  const { bavail, bsize } = fs.statfsSync(target);
  if (bavail * bsize < bytes) {
    fs.rmdirSync(target);
    const left = `${target} has ${megabytes(bavail * bsize)} left`;
    throw new Error(`askd takes ${megabytes(bytes)}, and ${left}. Choose another --prefix.`);
  }
  console.log(`Unpacking ${megabytes(bytes)} …`);
  const args = ['-xzf', path.join(HERE, 'askd.tgz'), '-C', target];
  const { status, error } = childProcess.spawnSync('tar', args, { stdio: 'inherit' });
  if (status === 0) return target;
  fs.rmSync(target, { recursive: true, force: true });
  const why = error ? `: ${error.message}` : '';
  throw new Error(`tar could not unpack it${why}. Nothing was installed.`);
}

function megabytes(bytes) {
  return `${Math.ceil(bytes / 1e6)} MB`;
}

/** The native packages are for one platform, and some of them for one Node. */
function refuseUnloadable({ node, root: inside }, unpacked) {
  const root = path.join(unpacked, inside);
  const store = JSON.stringify(
    pathToFileURL(path.join(root, 'dist', 'bundle', 'src', 'store', 'sqlite.js')).href,
  );
  const load = `const { openSqlite } = await import(${store}); openSqlite(':memory:').close(); await import('sharp');`;
  const script = `try { ${load} } catch (error) { console.error(error.message); process.exitCode = 1; }`;
  const options = { cwd: root, encoding: 'utf8' };
  const args = ['--input-type=module', '-e', script];
  const { status, stderr } = childProcess.spawnSync(process.execPath, args, options);
  if (status === 0) return;
  fs.rmSync(unpacked, { recursive: true, force: true });
  throw new Error(
    `Its native packages do not load here: ${stderr.trim()}\n` +
      `This is Node.js ${process.versions.node}; they were installed under ${node}. Nothing was installed.`,
  );
}

/** An earlier one is replaced as a whole, and not while it runs. */
function replace(folder, unpacked, askd) {
  const old = `${folder}.old`;
  if (fs.existsSync(askd)) childProcess.spawnSync(process.execPath, [askd, 'down'], { stdio: 'inherit' });
  fs.rmSync(old, { recursive: true, force: true });
  if (fs.existsSync(folder)) fs.renameSync(folder, old);
  fs.renameSync(unpacked, folder);
  fs.rmSync(old, { recursive: true, force: true });
}

function link(prefix, programs) {
  const bin = path.join(prefix, 'bin');
  fs.mkdirSync(bin, { recursive: true });
  for (const name of ['askd', 'askd-daemon']) {
    const program = path.relative(bin, path.join(programs, `${name}.js`));
    const place = path.join(bin, isWindows ? `${name}.cmd` : name);
    fs.rmSync(place, { force: true });
    if (isWindows) fs.writeFileSync(place, `@node "%~dp0${program}" %*\r\n`);
    else {
      fs.chmodSync(path.join(bin, program), 0o755);
      fs.symlinkSync(program, place);
    }
  }
  return bin;
}
