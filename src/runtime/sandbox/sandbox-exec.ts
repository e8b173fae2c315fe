import { homedir } from 'node:os';
import type { Access } from './access.ts';
import type { Command } from './bubblewrap.ts';

/** Written from Apple's documentation of the profile language, and not yet tried on a Mac. */
export function inSandboxExec(command: Command, access: Access, home: string): Command {
  return {
    file: '/usr/bin/sandbox-exec',
    args: ['-p', profile(access, home), command.file, ...command.args],
  };
}

/** The last matching rule decides. Metadata stays readable, since resolving a path needs that of its folders. */
export function profile({ read, write }: Access, home: string): string {
  const hidden = [home, homedir(), '/Users', '/Volumes', '/private/tmp', '/private/var/folders'];
  return [
    '(version 1)',
    '(allow default)',
    '(deny network*)',
    '(deny process-info* (target others))',
    '(deny signal (target others))',
    '(deny file-write*)',
    `(allow file-write* (literal "/dev/null")${write.map((path) => ` ${subpath(path)}`).join('')})`,
    `(deny file-read-data ${hidden.map(subpath).join(' ')})`,
    `(allow file-read-data ${[...read, ...write].map(subpath).join(' ')})`,
  ].join('\n');
}

const subpath = (path: string) => `(subpath ${JSON.stringify(path)})`;
