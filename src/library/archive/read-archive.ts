import { createHash } from 'node:crypto';
import { Header } from 'tar';
import {
  CONTENTS_BYTES_MAX,
  CONTENTS_MEMBER,
  damaged,
  parseContents,
  type ArchivedBytes,
  type Contents,
} from './contents.ts';

const BLOCK = 512;

/** Reads an archive from beginning to end. Anything that differs from its list of contents is refused. */
export function readArchive(chunks: AsyncIterable<Buffer>) {
  const source = openSource(chunks);
  const list = createHash('sha256');

  async function readHeader(name: string): Promise<number> {
    const header = new Header(await source.take(BLOCK));
    if (header.nullBlock || !header.cksumValid)
      throw damaged('it is not an archive of askd, or it is damaged');
    if (header.path !== name || header.type !== 'File')
      throw damaged(
        `it has ${header.type} ${JSON.stringify(header.path)} instead of ${JSON.stringify(name)}`,
      );
    return header.size ?? 0;
  }

  return {
    async contents(): Promise<Contents> {
      const size = await readHeader(CONTENTS_MEMBER);
      if (size > CONTENTS_BYTES_MAX) throw damaged('its list of contents is too long');
      const text = await source.take(size);
      await source.take(paddingOf(size));
      list.update(text);
      return parseContents(text.toString('utf8'));
    },
    /** Identifies the archive. */
    hash: () => list.digest('hex').slice(0, 32),
    /** The bytes of the next file. */
    async *next({ member, bytes }: ArchivedBytes): AsyncGenerator<Buffer> {
      const size = await readHeader(member);
      if (size !== bytes) throw damaged(`${member} has ${size} bytes instead of ${bytes}`);
      yield* source.stream(size);
      await source.take(paddingOf(size));
    },
    async end(): Promise<void> {
      const rest = await source.take(2 * BLOCK);
      if (rest.some((byte) => byte !== 0) || !(await source.isOver()))
        throw damaged('it contains more than its list says');
    },
  };
}

function paddingOf(size: number): number {
  return (BLOCK - (size % BLOCK)) % BLOCK;
}

/** Bytes on demand. */
function openSource(chunks: AsyncIterable<Buffer>) {
  const iterator = chunks[Symbol.asyncIterator]();
  let left: Buffer = Buffer.alloc(0);

  async function more(): Promise<boolean> {
    const next = await iterator.next();
    if (next.done === true) return false;
    left = left.length === 0 ? next.value : Buffer.concat([left, next.value]);
    return true;
  }

  async function take(length: number): Promise<Buffer> {
    while (left.length < length)
      if (!(await more())) throw damaged('a part is missing, or it ends too early');
    const taken = left.subarray(0, length);
    left = left.subarray(length);
    return taken;
  }

  async function* stream(length: number): AsyncGenerator<Buffer> {
    let missing = length;
    while (missing > 0) {
      if (left.length === 0 && !(await more())) throw damaged('a part is missing, or it ends too early');
      const piece = await take(Math.min(left.length, missing));
      missing -= piece.length;
      yield piece;
    }
  }

  return { take, stream, isOver: async () => left.length === 0 && !(await more()) };
}
