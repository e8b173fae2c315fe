import { createHash } from 'node:crypto';
import { open, stat } from 'node:fs/promises';
import { Header } from 'tar';
import type { Member } from './manifest.ts';

const BLOCK_BYTES = 512;

export type Content = { name: string; text: string | Buffer } | { name: string; path: string };

/** Writes the members of a tar archive one after another, each with its checksum. */
export async function openArchive(path: string, signal: AbortSignal) {
  const file = await open(path, 'wx', 0o600);
  const members: Member[] = [];

  async function add(content: Content, onBytes: (bytes: number) => void = () => undefined): Promise<Member> {
    const { name } = content;
    const bytes = 'text' in content ? Buffer.byteLength(content.text) : (await stat(content.path)).size;
    await file.appendFile(headerOf(name, bytes));
    const sum = createHash('sha256');
    let written = 0;
    for await (const chunk of chunksOf(content)) {
      signal.throwIfAborted();
      sum.update(chunk);
      await file.appendFile(chunk);
      written += chunk.length;
      onBytes(chunk.length);
    }
    if (written !== bytes) throw new Error(`${name} changed while it was read`);
    await file.appendFile(Buffer.alloc((BLOCK_BYTES - (bytes % BLOCK_BYTES)) % BLOCK_BYTES));
    const member = { name, bytes, sha256: sum.digest('hex') };
    members.push(member);
    return member;
  }

  return {
    members,
    add,
    /** After this, the archive is on the disk. */
    async end(): Promise<void> {
      await file.appendFile(Buffer.alloc(2 * BLOCK_BYTES));
      await file.sync();
    },
    close: () => file.close(),
  };
}

function headerOf(path: string, size: number): Buffer {
  const block = Buffer.alloc(BLOCK_BYTES);
  const mtime = new Date(Math.floor(Date.now() / 1000) * 1000);
  new Header({ path, size, mode: 0o600, type: 'File', mtime, uid: 0, gid: 0 }).encode(block);
  return block;
}

async function* chunksOf(content: Content): AsyncIterable<Buffer> {
  if ('text' in content) {
    yield Buffer.from(content.text);
    return;
  }
  const file = await open(content.path, 'r');
  yield* file.createReadStream({ highWaterMark: 1024 * 1024 }) as AsyncIterable<Buffer>;
}
