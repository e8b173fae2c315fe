import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';

/** A byte range of a file, fetched by one connection at a time. `end` is exclusive. */
export type Part = { index: number; start: number; end: number; received: number };

const RECORD_BYTES = 16;
const MAGIC = 0x61736b64;
const PARTS_MAX = 1024;

export type Parts = ReturnType<typeof openParts>;

/** What the journal says, without touching it. */
export function receivedIn(
  journal: string,
  { bytes, partBytes }: { bytes: number; partBytes: number },
): number {
  const size = sizeOfPart(bytes, partBytes);
  const parts = cut(bytes, size);
  return replay(journal, parts, { bytes, size }) ? totalOf(parts) : 0;
}

/**
 * Tracks how much of each part is written, in a journal beside the file. A record is appended after its bytes are
 * written, so the journal is correct after a kill; after a power cut, only the final hash can tell.
 */
export function openParts(journal: string, { bytes, partBytes }: { bytes: number; partBytes: number }) {
  const size = sizeOfPart(bytes, partBytes);
  const parts = cut(bytes, size);
  if (!replay(journal, parts, { bytes, size })) begin();

  function begin(): void {
    for (const part of parts) part.received = 0;
    writeFileSync(journal, record(MAGIC, size, bytes), { mode: 0o600 });
  }

  return {
    parts,
    keep(part: Part): void {
      appendFileSync(journal, record(part.index, part.index ^ MAGIC, part.received));
    },
    /** Starts over, for a file that turned out wrong. */
    begin,
    received: () => totalOf(parts),
    /** Contiguous bytes from the beginning of the file. */
    prefix(): number {
      const gap = parts.find((part) => part.received < part.end - part.start);
      return gap === undefined ? bytes : gap.start + gap.received;
    },
    remove: () => rmSync(journal, { force: true }),
  };
}

function sizeOfPart(bytes: number, partBytes: number): number {
  return Math.max(partBytes, Math.ceil(bytes / PARTS_MAX));
}

function totalOf(parts: readonly Part[]): number {
  return parts.reduce((sum, part) => sum + part.received, 0);
}

function cut(bytes: number, size: number): Part[] {
  const count = Math.max(1, Math.ceil(bytes / size));
  return Array.from({ length: count }, (_, index) => ({
    index,
    start: index * size,
    end: Math.min(bytes, (index + 1) * size),
    received: 0,
  }));
}

/** False if there is nothing to resume: no journal, or one for other parts. A torn last record is skipped. */
function replay(journal: string, parts: Part[], { bytes, size }: { bytes: number; size: number }): boolean {
  if (!existsSync(journal)) return false;
  const log = readFileSync(journal);
  if (log.length < RECORD_BYTES || !log.subarray(0, RECORD_BYTES).equals(record(MAGIC, size, bytes)))
    return false;
  for (let at = RECORD_BYTES; at + RECORD_BYTES <= log.length; at += RECORD_BYTES) {
    const index = log.readUInt32LE(at);
    const part = parts[index];
    const received = Number(log.readBigUInt64LE(at + 8));
    if (part === undefined || log.readUInt32LE(at + 4) !== (index ^ MAGIC) >>> 0) continue;
    if (received <= part.end - part.start) part.received = Math.max(part.received, received);
  }
  return true;
}

function record(first: number, second: number, third: number): Buffer {
  const bytes = Buffer.alloc(RECORD_BYTES);
  bytes.writeUInt32LE(first >>> 0, 0);
  bytes.writeUInt32LE(second >>> 0, 4);
  bytes.writeBigUInt64LE(BigInt(third), 8);
  return bytes;
}
