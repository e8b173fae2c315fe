import { closeSync, fstatSync, openSync, readdirSync, readFileSync, readSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 200;
const CHUNK_BYTES = 64 * 1024;

export type Tail = {
  lines: string[];
  /** Where following continues: after the last complete line. */
  position: Position;
};
export type Position = { inode: number | undefined; offset: number };

/** The last lines that match the filter, across rotated files, oldest first. */
export function readTail(path: string, count: number, passes: (line: string) => boolean): Tail {
  const current = readWhole(path);
  let lines = completeLines(current.text).filter(passes);
  for (const older of rotatedFiles(path).reverse()) {
    if (lines.length >= count) break;
    lines = [...completeLines(readWhole(older).text).filter(passes), ...lines];
  }
  const offset = Buffer.byteLength(current.text.slice(0, current.text.lastIndexOf('\n') + 1));
  return { lines: count === 0 ? [] : lines.slice(-count), position: { inode: current.inode, offset } };
}

/** Each line added after a position; continues in the new file after a rotation. Ends with the signal. */
export async function* followLines(
  path: string,
  from: Position,
  signal: AbortSignal,
): AsyncGenerator<string> {
  let reader = openReader(path, from);
  try {
    while (!signal.aborted) {
      // Checked before reading: lines written up to the rotation are still read from the old file.
      const rotated = reader !== undefined && reader.inode !== inodeOf(path);
      if (reader !== undefined) yield* reader.read();
      if (reader === undefined || rotated) {
        reader?.close();
        reader = openReader(path, { inode: undefined, offset: 0 });
      }
      await sleep(POLL_MS, undefined, { signal });
    }
  } finally {
    reader?.close();
  }
}

function openReader(path: string, from: Position) {
  const inode = inodeOf(path);
  if (inode === undefined) return undefined;
  const file = openSync(path, 'r');
  let offset = inode === from.inode ? from.offset : 0;
  let rest = Buffer.alloc(0);
  return {
    inode: fstatSync(file).ino,
    close: () => closeSync(file),
    *read(): Generator<string> {
      if (fstatSync(file).size < offset) offset = 0;
      const chunk = Buffer.alloc(CHUNK_BYTES);
      for (let count = readSync(file, chunk, 0, CHUNK_BYTES, offset); count > 0;) {
        offset += count;
        const bytes = Buffer.concat([rest, chunk.subarray(0, count)]);
        const end = bytes.lastIndexOf(0x0a) + 1;
        rest = bytes.subarray(end);
        yield* completeLines(bytes.subarray(0, end).toString('utf8'));
        count = readSync(file, chunk, 0, CHUNK_BYTES, offset);
      }
    },
  };
}

function inodeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.ino;
}

function readWhole(path: string): { inode: number | undefined; text: string } {
  const inode = inodeOf(path);
  return { inode, text: inode === undefined ? '' : readFileSync(path, 'utf8') };
}

function completeLines(text: string): string[] {
  return text
    .split('\n')
    .slice(0, -1)
    .filter((line) => line !== '');
}

/** Rotated files have a timestamp before their name, so that names sort by age. */
function rotatedFiles(path: string): string[] {
  const folder = dirname(path);
  if (inodeOf(folder) === undefined) return [];
  const names = readdirSync(folder).filter(
    (name) => /^\d{8}-\d{4}-\d+-/.test(name) && name.endsWith(`-${basename(path)}`),
  );
  return names.sort().map((name) => join(folder, name));
}
