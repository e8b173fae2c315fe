import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  fchmodSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { Failure } from '../../../../src/base/errors.ts';
import { pathWithin } from './paths.ts';

const BYTES_MAX = 256 * 1024;
const FILES_MAX = 500;
const LEFT_OUT: ReadonlySet<string> = new Set(['.git', 'node_modules']);

/** Undefined if there is none yet. */
export function readText(folder: string, path: string): string | undefined {
  const file = pathWithin(folder, path);
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (found === undefined) return undefined;
  if (!found.isFile()) throw new Failure('invalid_value', `${path} is not a file.`);
  if (found.size > BYTES_MAX)
    throw new Failure('invalid_value', `${path} is larger than ${BYTES_MAX} bytes.`);
  const descriptor = openSync(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
  try {
    const text = readFileSync(descriptor, 'utf8');
    if (text.includes('\0')) throw new Failure('invalid_value', `${path} is not a text file.`);
    return text;
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Refused if the file has changed since the change was proposed. Others see the old text or the new one, never a
 * part.
 */
export function writeText(folder: string, path: string, text: string, before: string | undefined): void {
  if (readText(folder, path) !== before)
    throw new Failure('invalid_value', `${path} has changed in the meantime. Nothing was written.`);
  const file = pathWithin(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  if (before === undefined) return create(file, text);
  const beside = `${file}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    create(beside, text, statSync(file).mode & 0o777);
    renameSync(beside, file);
  } finally {
    rmSync(beside, { force: true });
  }
}

/** Sets the given mode, whatever the default for new files is. */
function create(file: string, text: string, mode?: number): void {
  const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW = 0 } = constants;
  const descriptor = openSync(file, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode ?? 0o644);
  try {
    writeFileSync(descriptor, text);
    if (mode !== undefined) fchmodSync(descriptor, mode);
  } finally {
    closeSync(descriptor);
  }
}

/** Every file below a subfolder, without symbolic links. */
export function listFiles(folder: string, path: string): string[] {
  const found: string[] = [];
  const waiting = [pathWithin(folder, path)];
  for (let at = waiting.pop(); at !== undefined && found.length < FILES_MAX; at = waiting.pop())
    for (const entry of readdirSync(at, { withFileTypes: true })) {
      const whole = join(at, entry.name);
      if (entry.isDirectory() && !LEFT_OUT.has(entry.name)) waiting.push(whole);
      if (entry.isFile()) found.push(relative(folder, whole));
    }
  return found.slice(0, FILES_MAX).sort();
}
