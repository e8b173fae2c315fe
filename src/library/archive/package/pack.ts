import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, lstatSync, readlinkSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { Header, Pax } from 'tar';
import { Failure } from '../../../base/errors.ts';
import type { TreeFile } from './tree.ts';

const BLOCK = 512;
const LEVEL = 1;

export type Packed = { bytes: number; sha256: string };

/** Writes a compressed tar file. Equal files give equal bytes. */
export async function packFiles(
  files: readonly TreeFile[],
  target: string,
  { signal, onBytes }: { signal: AbortSignal; onBytes: (bytes: number) => void },
): Promise<Packed> {
  const hash = createHash('sha256');
  const hashing = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      done(null, chunk);
    },
  });
  const packing = Readable.from(blocksOf(files, { signal, onBytes }), { objectMode: false });
  const written = createWriteStream(target, { mode: 0o600 });
  await pipeline(packing, createGzip({ level: LEVEL }), hashing, written, { signal }).catch(
    (error: NodeJS.ErrnoException) => {
      throw error.code === 'ENOENT' ? changed(error.path ?? '', error) : error;
    },
  );
  return { bytes: (await stat(target)).size, sha256: hash.digest('hex') };
}

export function bytesOf(files: readonly TreeFile[]): number {
  return files.reduce((sum, { absolute }) => sum + sizeOf(absolute), 0);
}

function sizeOf(path: string): number {
  const facts = lstatSync(path);
  return facts.isSymbolicLink() ? 0 : facts.size;
}

async function* blocksOf(
  files: readonly TreeFile[],
  { signal, onBytes }: { signal: AbortSignal; onBytes: (bytes: number) => void },
): AsyncGenerator<Buffer> {
  for (const { path, absolute } of files) {
    const size = sizeOf(absolute);
    yield headerOf(path, absolute, size);
    if (size === 0) continue;
    let left = size;
    for await (const chunk of createReadStream(absolute, { signal, highWaterMark: 1024 * 1024 })) {
      left -= (chunk as Buffer).length;
      onBytes((chunk as Buffer).length);
      yield chunk as Buffer;
    }
    if (left !== 0) throw changed(absolute);
    yield Buffer.alloc((BLOCK - (size % BLOCK)) % BLOCK);
  }
  yield Buffer.alloc(2 * BLOCK);
}

/** The only part of a mode that matters elsewhere: whether a file is executable. */
function headerOf(path: string, absolute: string, size: number): Buffer {
  const facts = lstatSync(absolute);
  const isLink = facts.isSymbolicLink();
  const linkpath = isLink ? readlinkSync(absolute).replaceAll('\\', '/') : undefined;
  const header = new Header({
    path,
    size,
    mode: isLink || (facts.mode & 0o100) !== 0 ? 0o755 : 0o644,
    type: isLink ? 'SymbolicLink' : 'File',
    mtime: new Date(0),
    ...(linkpath !== undefined && { linkpath }),
  });
  const block = Buffer.alloc(BLOCK);
  const isLong = header.encode(block, 0);
  if (!isLong) return block;
  return Buffer.concat([new Pax({ path, ...(linkpath !== undefined && { linkpath }) }).encode(), block]);
}

function changed(path: string, cause?: unknown): Failure {
  return new Failure('install_incomplete', `${path} changed while it was packed.`, {
    cause,
    details: { fix: 'wait until nothing is being installed or built, then run the same command again' },
  });
}
