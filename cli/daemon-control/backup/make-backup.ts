import { existsSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { openArchive, type Content } from '../../../src/backup/archive-writer.ts';
import { checkArchive, type CheckedArchive } from '../../../src/backup/check-archive.ts';
import {
  DATABASE,
  FORMAT,
  MANIFEST,
  membersDigestInput,
  SECRETS,
  type Manifest,
} from '../../../src/backup/manifest.ts';
import { sealSecrets } from '../../../src/backup/sealed-secrets.ts';
import { toIso } from '../../../src/base/clock.ts';
import { Failure } from '../../../src/base/errors.ts';
import type { Paths } from '../../../src/base/paths.ts';
import { version } from '../../../src/base/version.ts';
import type { Client } from '../../client/client.ts';
import { filesOf, modelsOf, namesOfSecrets, secretsOf } from './collect.ts';
import type { Progress } from './progress.ts';

type Making = {
  file: string;
  client: Client;
  paths: Paths;
  /** Undefined leaves the secrets out. */
  passphrase: string | undefined;
  force: boolean;
  progress: Progress;
  signal: AbortSignal;
};

/** Written beside its destination, read back, then renamed, so that the file is complete whenever it is visible. */
export async function makeBackup(making: Making): Promise<CheckedArchive> {
  const { file, force, client, progress, signal } = making;
  refuseExisting(file, force);
  progress.step('Copying the database');
  const snapshot = await client.snapshot();
  const partial = `${file}.${process.pid}.part`;
  try {
    await write(partial, { ...making, snapshot });
    progress.step('Reading it back');
    const checked = await checkArchive(partial, signal);
    refuseExisting(file, force);
    await rename(partial, file);
    await syncFolder(dirname(file));
    return checked;
  } catch (cause) {
    throw withPlace(cause, file);
  } finally {
    progress.end();
    await rm(partial, { force: true });
    await rm(snapshot.path, { force: true });
  }
}

type Snapshot = { path: string; bytes: number };

async function write(partial: string, making: Making & { snapshot: Snapshot }): Promise<void> {
  const { paths, passphrase, snapshot, progress, signal } = making;
  const archive = await openArchive(partial, signal);
  try {
    progress.step('Writing the backup', snapshot.bytes);
    await archive.add({ name: DATABASE, path: snapshot.path }, progress.advance);
    for (const content of filesOf(paths)) await archive.add(content);
    if (passphrase !== undefined) await archive.add(await sealed(making, passphrase, archive.members));
    const manifest = await describe(making, archive.members);
    await archive.add({ name: MANIFEST, text: `${JSON.stringify(manifest, null, 2)}\n` });
    await archive.end();
  } finally {
    await archive.close();
  }
}

async function sealed({ paths }: Making, passphrase: string, members: Manifest['members']): Promise<Content> {
  const text = await sealSecrets(await secretsOf(paths), passphrase, membersDigestInput(members));
  return { name: SECRETS, text };
}

async function describe(
  { client, paths, passphrase, snapshot }: Making & { snapshot: Snapshot },
  members: Manifest['members'],
): Promise<Manifest> {
  const [{ artifacts }, { webhooks }] = await Promise.all([client.artifacts(), client.webhooks.list()]);
  return {
    format: FORMAT,
    askd: version,
    schema: await schemaOf(snapshot.path),
    created_at: toIso(Date.now()),
    members,
    secrets: { names: namesOfSecrets(paths), sealed: passphrase !== undefined },
    models: modelsOf(artifacts),
    webhooks: webhooks.map(({ id }) => id),
  };
}

/** From the header of the database file, where SQLite stores the application's number. */
async function schemaOf(path: string): Promise<number> {
  const file = await open(path, 'r');
  try {
    const { buffer } = await file.read(Buffer.alloc(4), 0, 4, 60);
    return buffer.readUInt32BE();
  } finally {
    await file.close();
  }
}

function refuseExisting(file: string, force: boolean): void {
  if (force || !existsSync(file)) return;
  throw new Failure('already_exists', `${file} already exists and was left as it is.`, {
    details: { fix: `use another name, or replace it: askd backup ${file} --force` },
  });
}

function withPlace(cause: unknown, file: string): unknown {
  const { code } = cause as NodeJS.ErrnoException;
  if (!['ENOENT', 'EACCES', 'EROFS', 'ENOTDIR', 'EPERM'].includes(String(code))) return cause;
  return new Failure('invalid_value', `The backup cannot be written to ${dirname(file)} (${code}).`, {
    cause,
  });
}

async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  await handle.sync().finally(() => handle.close());
}
