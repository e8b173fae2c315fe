import { createHash } from 'node:crypto';
import { open, type FileHandle } from 'node:fs/promises';
import { Header } from 'tar';
import { isMemberName, notABackup, type Member } from './manifest.ts';

const BLOCK_BYTES = 512;
const CHUNK_BYTES = 1024 * 1024;
const MEMBERS_MAX = 20_000;

export type Entry = { name: string; bytes: number };
/** Takes the parts of a member as they are read. */
export type Sink = (part: Buffer) => Promise<void> | void;

/**
 * Reads a tar archive that contains plain files with known names, each once, and nothing else: no links, folders,
 * compression or extended headers. Returns the size and checksum of each member as read.
 */
export async function readArchive(
  path: string,
  { signal, sinkOf }: { signal: AbortSignal; sinkOf: (entry: Entry) => Promise<Sink> | Sink },
): Promise<Member[]> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const members: Member[] = [];
    for (let position = 0; ;) {
      const block = await readBlock(file, position, size);
      if (isZero(block)) return endOf(members, position, size);
      const entry = entryOf(block, members);
      position += BLOCK_BYTES;
      if (position + entry.bytes > size) throw notABackup(`it ends in the middle of ${entry.name}`);
      members.push({
        ...entry,
        sha256: await readMember(file, position, { entry, sink: await sinkOf(entry), signal }),
      });
      position += Math.ceil(entry.bytes / BLOCK_BYTES) * BLOCK_BYTES;
    }
  } finally {
    await file.close();
  }
}

async function readBlock(file: FileHandle, position: number, size: number): Promise<Buffer> {
  if (position + BLOCK_BYTES > size) throw notABackup('its end is missing');
  const block = Buffer.alloc(BLOCK_BYTES);
  await file.read(block, 0, BLOCK_BYTES, position);
  return block;
}

function entryOf(block: Buffer, earlier: readonly Member[]): Entry {
  const header = new Header(block);
  if (!header.cksumValid) throw notABackup('it is not a tar archive, or it is damaged');
  const name = header.path ?? '';
  const bytes = header.size ?? -1;
  const isPlain = header.type === 'File' && bytes >= 0 && isMemberName(name);
  if (!isPlain)
    throw notABackup(`it contains ${JSON.stringify(name)} (${header.type}), which no backup does`);
  if (earlier.some((member) => member.name === name)) throw notABackup(`it contains ${name} twice`);
  if (earlier.length >= MEMBERS_MAX) throw notABackup(`it has more than ${MEMBERS_MAX} members`);
  return { name, bytes };
}

type Reading = { entry: Entry; sink: Sink; signal: AbortSignal };

async function readMember(
  file: FileHandle,
  start: number,
  { entry, sink, signal }: Reading,
): Promise<string> {
  const sum = createHash('sha256');
  for (let done = 0; done < entry.bytes;) {
    signal.throwIfAborted();
    const part = Buffer.alloc(Math.min(CHUNK_BYTES, entry.bytes - done));
    const { bytesRead } = await file.read(part, 0, part.length, start + done);
    if (bytesRead === 0) throw notABackup(`it ends in the middle of ${entry.name}`);
    const read = part.subarray(0, bytesRead);
    sum.update(read);
    await sink(read);
    done += bytesRead;
  }
  return sum.digest('hex');
}

function endOf(members: Member[], position: number, size: number): Member[] {
  if (size !== position + 2 * BLOCK_BYTES) throw notABackup('its end is missing, or something follows it');
  return members;
}

function isZero(block: Buffer): boolean {
  return block.every((byte) => byte === 0);
}
