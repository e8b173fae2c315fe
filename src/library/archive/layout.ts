import { createReadStream } from 'node:fs';
import { Header } from 'tar';
import { CONTENTS_MEMBER, type ArchivedBytes, type Contents } from './contents.ts';

const BLOCK = 512;
const FILE_MODE = 0o644;

type Segment = { bytes: Buffer } | { path: string; length: number };

/** The whole archive as a sequence of segments. Equal contents give equal bytes, so that writing can be resumed. */
export function layOut(contents: Contents, sources: ReadonlyMap<ArchivedBytes, string>) {
  const list = Buffer.from(JSON.stringify(contents));
  const segments: Segment[] = [
    { bytes: headerOf(CONTENTS_MEMBER, list.length) },
    { bytes: list },
    padding(list.length),
  ];
  for (const file of [...(contents.install ?? []), ...contents.files]) {
    segments.push({ bytes: headerOf(file.member, file.bytes) });
    segments.push({ path: sources.get(file) ?? '', length: file.bytes }, padding(file.bytes));
  }
  segments.push({ bytes: Buffer.alloc(2 * BLOCK) });
  return {
    bytes: segments.reduce((sum, segment) => sum + lengthOf(segment), 0),
    /** Everything before the first file, which identifies the archive. */
    beginning: Buffer.concat(
      segments.slice(0, 3).map((segment) => ('bytes' in segment ? segment.bytes : EMPTY)),
    ),
    readFrom: (offset: number, signal: AbortSignal) => read(segments, offset, signal),
  };
}

const EMPTY = Buffer.alloc(0);

async function* read(
  segments: readonly Segment[],
  offset: number,
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  let skip = offset;
  for (const segment of segments) {
    const length = lengthOf(segment);
    if (skip >= length) {
      skip -= length;
      continue;
    }
    if ('bytes' in segment) yield segment.bytes.subarray(skip);
    else yield* readFile(segment, skip, signal);
    skip = 0;
  }
}

/** A file that became shorter would shift everything after it. */
async function* readFile(
  { path, length }: { path: string; length: number },
  start: number,
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  let left = length - start;
  const stream = createReadStream(path, { start, end: length - 1, highWaterMark: 1024 * 1024, signal });
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    left -= chunk.length;
    yield chunk;
  }
  if (left !== 0) throw new Error(`${path} became shorter while it was read`);
}

function headerOf(path: string, size: number): Buffer {
  const block = Buffer.alloc(BLOCK);
  new Header({ path, size, mode: FILE_MODE, type: 'File', mtime: new Date(0) }).encode(block, 0);
  return block;
}

function padding(size: number): Segment {
  return { bytes: Buffer.alloc((BLOCK - (size % BLOCK)) % BLOCK) };
}

function lengthOf(segment: Segment): number {
  return 'bytes' in segment ? segment.bytes.length : segment.length;
}
