import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Header, type HeaderData } from 'tar';
import { openArchive, type Content } from '../../../src/backup/archive-writer.ts';
import { DATABASE, FORMAT, MANIFEST, type Manifest } from '../../../src/backup/manifest.ts';
import { MIGRATIONS } from '../../../src/store/migrations.ts';
import { openStore } from '../../../src/store/store.ts';
import { temporaryFolder } from '../temporary.ts';

export const never = new AbortController().signal;

/** A database of that schema, with a model in it. */
export async function databaseOf(schema: number = MIGRATIONS.length): Promise<string> {
  const folder = temporaryFolder();
  const store = openStore(join(folder, 'source.db'), MIGRATIONS.slice(0, schema));
  store.prepare(`INSERT INTO artifacts VALUES('my-model', '{"id":"my-model"}', 1)`).run();
  const path = join(folder, 'copy.db');
  await store.copyTo(path);
  store.close();
  return path;
}

export function manifestOf(members: Manifest['members'], changes: Partial<Manifest> = {}): Manifest {
  return {
    format: FORMAT,
    askd: '9.8.7',
    schema: MIGRATIONS.length,
    created_at: '2026-11-25T00:00:00.000Z',
    members,
    secrets: { names: [], sealed: false },
    models: [],
    webhooks: [],
    ...changes,
  };
}

/** An archive as askd writes it. */
export async function writeArchive(database: string, further: readonly Content[] = []): Promise<string> {
  const path = join(temporaryFolder(), 'askd.tar');
  const archive = await openArchive(path, never);
  for (const content of [{ name: DATABASE, path: database }, ...further]) await archive.add(content);
  await archive.add({ name: MANIFEST, text: JSON.stringify(manifestOf(archive.members)) });
  await archive.end();
  await archive.close();
  return path;
}

export type RawEntry = HeaderData & { text?: string };

/** An archive with any entries, and a manifest that names them all with the right checksums. */
export function writeRawArchive(entries: readonly RawEntry[]): string {
  const members = entries.map(({ path = '', text = '' }) => ({
    name: path,
    bytes: Buffer.byteLength(text),
    sha256: createHash('sha256').update(text).digest('hex'),
  }));
  const manifest = { path: MANIFEST, text: JSON.stringify(manifestOf(members)) };
  const path = join(temporaryFolder(), 'hostile.tar');
  writeFileSync(path, Buffer.concat([...[...entries, manifest].map(toBlocks), Buffer.alloc(1024)]));
  return path;
}

function toBlocks({ text = '', ...header }: RawEntry): Buffer {
  const size = header.size ?? Buffer.byteLength(text);
  const block = Buffer.alloc(512);
  new Header({ type: 'File', mode: 0o600, mtime: new Date(0), ...header, size }).encode(block);
  return Buffer.concat([
    block,
    Buffer.from(text),
    Buffer.alloc((512 - (Buffer.byteLength(text) % 512)) % 512),
  ]);
}
