import { createHash, type Hash } from 'node:crypto';
import { closeSync, openSync, readSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';

/** Hashes growing files in a separate thread, so that neither the network nor the daemon waits for it. */
export type ToHasher =
  | { type: 'open'; id: number; path: string; kind: 'sha256' | 'git-sha1'; bytes: number }
  | { type: 'advance'; id: number; upTo: number }
  | { type: 'digest'; id: number }
  | { type: 'close'; id: number };

export type FromHasher =
  | { type: 'position'; id: number; position: number }
  | { type: 'digest'; id: number; digest: string }
  | { type: 'failed'; id: number; message: string };

type Open = { file: number; hash: Hash; position: number };

/** Small enough to be hashed while still in the processor's cache. */
const CHUNK_BYTES = 256 * 1024;
const open = new Map<number, Open>();
const chunk = Buffer.allocUnsafeSlow(CHUNK_BYTES);

parentPort?.on('message', (message: ToHasher) => {
  try {
    receive(message);
  } catch (error) {
    close(message.id);
    send({ type: 'failed', id: message.id, message: error instanceof Error ? error.message : String(error) });
  }
});

function receive(message: ToHasher): void {
  const { id } = message;
  if (message.type === 'open') {
    const hash = createHash(message.kind === 'sha256' ? 'sha256' : 'sha1');
    if (message.kind === 'git-sha1') hash.update(`blob ${message.bytes}\0`);
    open.set(id, { file: openSync(message.path, 'r'), hash, position: 0 });
  }
  const entry = open.get(id);
  if (entry === undefined) return;
  if (message.type === 'advance') {
    advance(entry, message.upTo);
    send({ type: 'position', id, position: entry.position });
  }
  if (message.type === 'digest') {
    send({ type: 'digest', id, digest: entry.hash.digest('hex') });
    close(id);
  }
  if (message.type === 'close') close(id);
}

function advance(entry: Open, upTo: number): void {
  while (entry.position < upTo) {
    const wanted = Math.min(CHUNK_BYTES, upTo - entry.position);
    const read = readSync(entry.file, chunk, 0, wanted, entry.position);
    if (read === 0) throw new Error('the file ends too early');
    entry.hash.update(read === CHUNK_BYTES ? chunk : chunk.subarray(0, read));
    entry.position += read;
  }
}

function close(id: number): void {
  const entry = open.get(id);
  if (entry === undefined) return;
  open.delete(id);
  closeSync(entry.file);
}

function send(message: FromHasher): void {
  parentPort?.postMessage(message);
}
