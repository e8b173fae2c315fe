import { existsSync, readdirSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import type { Access } from './access.ts';

export type Command = { file: string; args: readonly string[] };

export type BubblewrapOptions = {
  program: string;
  /** Empty in the sandbox, except for the files that a runner may see. */
  home: string;
  /** Writable memory of the process, without the weights, which are mapped from their file. */
  memoryBytes: number;
  environment: Readonly<Record<string, string>>;
};

const NAMESPACES = ['user', 'ipc', 'pid', 'net', 'uts'];
const SYSTEM = [
  ...[
    '/usr',
    '/bin',
    '/sbin',
    '/lib',
    '/lib32',
    '/lib64',
    '/opt/rocm',
    '/opt/cuda',
    '/nix/store',
    '/gnu/store',
  ],
  ...['/etc/ld.so.cache', '/etc/ld.so.conf', '/etc/ld.so.conf.d', '/etc/alternatives', '/etc/localtime'],
  ...['/sys/devices/system', '/sys/kernel/mm', '/sys/fs/cgroup'],
];
/** What the drivers of graphics cards read. */
const OF_CARDS = ['/sys', '/etc/vulkan', '/etc/OpenCL', '/etc/nvidia', '/run/opengl-driver'];
const CARDS = /^(nvidia.*|dri|kfd|dxg)$/;
const TEMPORARY_BYTES = 256 * 1024 ** 2;
const OPEN_FILES_MAX = 4096;

/**
 * Mapped weights and reserved addresses do not count as data, so this limits what a process fills itself. Graphics
 * drivers map memory of their own, so with them the machine is the limit.
 */
const LIMITS = `ulimit -c 0 && ulimit -n ${OPEN_FILES_MAX} && { [ "$1" = 0 ] || ulimit -d "$1"; } && shift && exec "$@"`;

/** The command in a sandbox: these files, no network, no other processes, and no way to gain privileges. */
export function inBubblewrap(
  command: Command,
  access: Access,
  { program, home, memoryBytes, environment }: BubblewrapOptions,
): Command {
  const cards = graphicsDevices();
  const inside = access.read.filter((path) => isIn(path, home));
  const outside = withoutNested(access.read.filter((path) => !isIn(path, home)));
  const libraries = (environment['LD_LIBRARY_PATH'] ?? '')
    .split(delimiter)
    .filter((path) => isAbsolute(path));
  const dataKiB = cards.length > 0 ? 0 : Math.ceil(memoryBytes / 1024);
  return {
    file: program,
    args: [
      ...NAMESPACES.map((name) => `--unshare-${name}`),
      ...['--unshare-cgroup-try', '--disable-userns', '--die-with-parent', '--new-session'],
      ...['--cap-drop', 'ALL'],
      ...[...SYSTEM, ...libraries, ...(cards.length > 0 ? OF_CARDS : [])].flatMap(readOnly),
      ...['--proc', '/proc', '--dev', '/dev'],
      ...cards.flatMap((path) => ['--dev-bind-try', path, path]),
      ...['--size', String(TEMPORARY_BYTES), '--tmpfs', '/tmp'],
      ...['--size', String(Math.max(TEMPORARY_BYTES, memoryBytes)), '--tmpfs', '/dev/shm'],
      ...outside.flatMap(readOnly),
      ...['--tmpfs', home],
      ...inside.flatMap(readOnly),
      ...access.write.flatMap((path) => ['--bind', path, path]),
      ...['/dev', home, '/'].flatMap((path) => ['--remount-ro', path]),
      ...['--chdir', '/', '--', '/bin/sh', '-c', LIMITS, 'sh', String(dataKiB)],
      ...[command.file, ...command.args],
    ],
  };
}

const isIn = (path: string, folder: string) => path.startsWith(`${folder}/`);

/** A path that is visible inside another folder is not mounted again, which fails if it is a link. */
function withoutNested(paths: readonly string[]): string[] {
  return paths.filter((path) => ![...SYSTEM, ...paths].some((folder) => isIn(path, folder)));
}

const readOnly = (path: string) => ['--ro-bind-try', path, path];

function graphicsDevices(): string[] {
  if (!existsSync('/dev')) return [];
  return readdirSync('/dev')
    .filter((name) => CARDS.test(name))
    .map((name) => join('/dev', name));
}
