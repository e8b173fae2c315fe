import { opendir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Failure } from '../../../base/errors.ts';
import { kindOfFile } from '../extract/file-kind.ts';

export type FoundFile = { path: string; bytes: number; modifiedMs: number };

const FILES_MAX = 50_000;
const BYTES_MAX = 20 * 1024 * 1024;
const SKIPPED_FOLDERS = new Set([
  'node_modules',
  'dist',
  'build',
  'target',
  'vendor',
  '__pycache__',
  'coverage',
]);

/** The files with text below a folder, or the one file. Hidden and generated files are skipped. */
export async function findFiles(root: string): Promise<{ files: FoundFile[]; skipped: string[] }> {
  const found = { files: [] as FoundFile[], skipped: [] as string[] };
  const info = await stat(root).catch((cause: unknown) => {
    throw new Failure('not_found', `There is no file or folder ${root} on this machine.`, {
      param: 'path',
      cause,
    });
  });
  if (info.isDirectory()) await walk(await realpath(root), found);
  else addFile(await realpath(root), info, found);
  found.files.sort((a, b) => (a.path < b.path ? -1 : 1));
  return found;
}

type Found = Awaited<ReturnType<typeof findFiles>>;

/** Symbolic links are not followed: they may lead out of the folder, or in a circle. */
async function walk(folder: string, found: Found): Promise<void> {
  for await (const entry of await opendir(folder)) {
    if (entry.name.startsWith('.')) continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory() && !SKIPPED_FOLDERS.has(entry.name)) await walk(path, found);
    else if (entry.isFile() && kindOfFile(path) !== undefined) addFile(path, await stat(path), found);
  }
}

function addFile(path: string, { size, mtimeMs }: { size: number; mtimeMs: number }, found: Found): void {
  if (size > BYTES_MAX) return void found.skipped.push(path);
  if (found.files.length >= FILES_MAX) {
    throw new Failure(
      'invalid_value',
      `The folder has more than ${FILES_MAX} files. Add its subfolders one by one.`,
      {
        param: 'path',
      },
    );
  }
  found.files.push({ path, bytes: size, modifiedMs: Math.round(mtimeMs) });
}
