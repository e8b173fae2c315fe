import { readFileSync, statSync, type Stats } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { formatBytes, formatCount } from '../../output/format.ts';
import { isImage } from '../images.ts';
import { listFiles } from './list.ts';

export const FILE_BYTES_MAX = 250_000;
export const FOLDER_FILES_MAX = 200;
/** For all files of a message together. */
export const TEXT_LENGTH_MAX = 1_000_000;

export type Mentioned =
  | { kind: 'text'; text: string; about: string; notes: readonly string[] }
  | { kind: 'image'; file: string }
  /** Why it cannot be attached. */
  | { kind: 'refused'; reason: string };

/** Undefined for a path that does not exist. */
export function locate(path: string): { file: string; stats: Stats } | undefined {
  const file = resolve(path.replace(/^~(?=\/|$)/, homedir()));
  const stats = statSync(file, { throwIfNoEntry: false });
  return stats && { file, stats };
}

/** The part of a file or folder that is put into a message. */
export async function readMentioned(path: string, file: string, stats: Stats): Promise<Mentioned> {
  try {
    if (stats.isDirectory()) return await readFolder(path.replace(/\/+$/, '') || '/', file);
    if (!stats.isFile()) return { kind: 'refused', reason: 'is neither a file nor a folder' };
    return readFile(path, file, stats);
  } catch (error) {
    return { kind: 'refused', reason: `cannot be read: ${(error as Error).message}` };
  }
}

function readFile(path: string, file: string, { size }: Stats): Mentioned {
  if (isImage(file)) return { kind: 'image', file };
  if (size > FILE_BYTES_MAX) {
    const limit = formatBytes(FILE_BYTES_MAX);
    return { kind: 'refused', reason: `has ${formatBytes(size)}; the limit for a file is ${limit}` };
  }
  const text = asText(readFileSync(file));
  if (text === undefined) return { kind: 'refused', reason: 'is neither text nor an image' };
  return { kind: 'text', text: fenced(path, text), about: formatCount(linesOf(text), 'line'), notes: [] };
}

async function readFolder(path: string, folder: string): Promise<Mentioned> {
  const files = await listFiles(folder);
  if (files.length > FOLDER_FILES_MAX) {
    const count = files.length.toLocaleString('en-US');
    return { kind: 'refused', reason: `has ${count} files; the limit for a folder is ${FOLDER_FILES_MAX}` };
  }
  const texts: string[] = [];
  const leftOut: string[] = [];
  for (const name of files) {
    const file = join(folder, name);
    const read = readFile(join(path, name), file, statSync(file));
    if (read.kind === 'text') texts.push(read.text);
    else leftOut.push(name);
  }
  if (texts.length === 0) return { kind: 'refused', reason: 'has no text files' };
  const text = texts.join('\n\n');
  if (text.length > TEXT_LENGTH_MAX) return { kind: 'refused', reason: tooLong(text) };
  const notes = leftOut.length === 0 ? [] : [`Not attached from ${path}: ${leftOut.join(', ')}`];
  return { kind: 'text', text, about: formatCount(texts.length, 'file'), notes };
}

export function tooLong(text: string): string {
  return `has ${formatBytes(text.length)} of text; the limit for a message is ${formatBytes(TEXT_LENGTH_MAX)}`;
}

/** Undefined for anything that is not text. */
function asText(bytes: Buffer): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}

/** Longer than every fence in the text. */
function fenced(path: string, text: string): string {
  const longest = Math.max(0, ...Array.from(text.matchAll(/`+/g), ([run]) => run.length));
  const fence = '`'.repeat(Math.max(3, longest + 1));
  return `${path}:\n${fence}\n${text}${text.endsWith('\n') || text === '' ? '' : '\n'}${fence}`;
}

function linesOf(text: string): number {
  return text === '' ? 0 : text.replace(/\n$/, '').split('\n').length;
}
