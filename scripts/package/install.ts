import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { execa } from 'execa';

export type Node = { version: string; folder: string; headers: string | undefined };
export type Installed = Awaited<ReturnType<typeof installPackage>>;

/** The Node that runs this. */
export function runningNode(): Node {
  const folder = dirname(process.execPath);
  return { version: process.versions.node, folder, headers: headersIn(dirname(folder)) };
}

/** The latest Node of a major version, from the package that npm's own `node` package installs. */
export async function fetchNode(major: number, into: string): Promise<Node> {
  const platform = process.platform === 'win32' ? 'win' : process.platform;
  const name = `node-${platform}-${process.arch}`;
  const folder = join(into, `node-${major}`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  await execa('npm', ['install', '--no-audit', '--no-fund', `${name}@${major}`], { cwd: folder });
  const home = join(folder, 'node_modules', name);
  const { stdout } = await execa(join(home, 'bin', 'node'), ['--version']);
  return { version: stdout.slice(1), folder: join(home, 'bin'), headers: headersIn(home) };
}

/** Installs the tarball globally into an empty prefix, with the documented command. */
export async function installPackage(tarball: string, node: Node, prefix: string) {
  const home = join(prefix, 'home');
  mkdirSync(home, { recursive: true });
  const env = {
    PATH: [node.folder, join(prefix, 'bin'), process.env['PATH']].join(delimiter),
    HOME: home,
    LANG: 'C.UTF-8',
  };
  await execa('npm', ['install', '-g', '--allow-scripts=better-sqlite3', '--prefix', prefix, tarball], {
    env: {
      ...env,
      HOME: process.env['HOME'] ?? '',
      // npm 10 runs every script, and this one would fetch CUDA libraries.
      ONNXRUNTIME_NODE_INSTALL: 'skip',
      ...(node.headers !== undefined && { npm_config_nodedir: node.headers }),
    },
  });
  return { env, folder: join(prefix, 'lib', 'node_modules', 'askd') };
}

/** For a package that has to be compiled: npm would download these headers from elsewhere. */
function headersIn(prefix: string): string | undefined {
  return existsSync(join(prefix, 'include', 'node', 'node_version.h')) ? prefix : undefined;
}
