import { Failure } from '../base/errors.ts';
import { readArchive, type Entry, type Sink } from './archive-reader.ts';
import {
  DATABASE,
  MANIFEST,
  notABackup,
  readManifest,
  refuseNewer,
  SECRETS,
  type Manifest,
} from './manifest.ts';

const HEAD_BYTES = 100;
/** The manifest and the secrets are read into memory. */
const HELD_BYTES_MAX = 32 * 1024 * 1024;
const SQLITE_MAGIC = 'SQLite format 3\0';
const SCHEMA_OFFSET = 60;

export type CheckedArchive = { manifest: Manifest; sealed: Buffer | undefined; bytes: number };

/** Reads the whole archive and compares each member with the manifest; writes nothing. */
export async function checkArchive(path: string, signal: AbortSignal): Promise<CheckedArchive> {
  const held = new Map<string, Buffer[]>();
  const members = await readArchive(path, { signal, sinkOf: (entry) => hold(held, entry) }).catch(
    unreadable(path),
  );
  const textOf = (name: string) => Buffer.concat(held.get(name) ?? []);
  const manifest = readManifest(textOf(MANIFEST).toString('utf8'));
  compareMembers(members, manifest);
  const head = textOf(DATABASE);
  if (head.toString('latin1', 0, SQLITE_MAGIC.length) !== SQLITE_MAGIC)
    throw notABackup(`${DATABASE} is not a database`);
  refuseNewer(head.readUInt32BE(SCHEMA_OFFSET), manifest);
  const sealed = held.has(SECRETS) ? textOf(SECRETS) : undefined;
  return { manifest, sealed, bytes: members.reduce((sum, { bytes }) => sum + bytes, 0) };
}

export function compareMembers(
  members: readonly { name: string; bytes: number; sha256: string }[],
  manifest: Manifest,
): void {
  const found = members.filter(({ name }) => name !== MANIFEST);
  const missing = manifest.members.find(({ name }) => !found.some((member) => member.name === name));
  if (missing) throw notABackup(`${missing.name} is missing`);
  for (const { name, bytes, sha256 } of found) {
    const wanted = manifest.members.find((member) => member.name === name);
    if (!wanted) throw notABackup(`its manifest does not name ${name}`);
    if (wanted.bytes !== bytes || wanted.sha256 !== sha256)
      throw notABackup(`${name} does not match its checksum`);
  }
}

function hold(held: Map<string, Buffer[]>, { name, bytes }: Entry): Sink {
  const isHeld = name === MANIFEST || name === SECRETS;
  if (isHeld && bytes > HELD_BYTES_MAX) throw notABackup(`${name} is too large`);
  if (!isHeld && name !== DATABASE) return () => undefined;
  const parts: Buffer[] = [];
  held.set(name, parts);
  let room = isHeld ? bytes : HEAD_BYTES;
  return (part) => {
    if (room > 0) parts.push(part.subarray(0, room));
    room -= part.length;
  };
}

function unreadable(path: string) {
  return (cause: unknown): never => {
    const { code } = cause as NodeJS.ErrnoException;
    if (code !== 'ENOENT' && code !== 'EACCES' && code !== 'EISDIR') throw cause;
    const why = { ENOENT: 'does not exist', EACCES: 'may not be read', EISDIR: 'is a folder' }[code];
    throw new Failure('not_found', `${path} ${why}.`, { cause });
  };
}
