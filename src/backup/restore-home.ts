import { chownSync, readdirSync, statSync } from 'node:fs';
import { mkdir, mkdtemp, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Failure } from '../base/errors.ts';
import { makeHomeFolder } from '../base/make-folder.ts';
import { homePaths } from '../base/paths.ts';
import { readArchive, type Sink } from './archive-reader.ts';
import { compareMembers, type CheckedArchive } from './check-archive.ts';
import { MANIFEST, SECRETS } from './manifest.ts';
import type { BackedUpSecrets } from './sealed-secrets.ts';
import { finishRestore, restoredFolder } from './finish-restore.ts';

const STAGING = 'restoring-';
/** What a killed restore may leave: its files so far, or the folder that tests whether the home is writable. */
const ABANDONED = /^(?:restoring-|\.askd-)/;

type Restoring = {
  archive: string;
  checked: CheckedArchive;
  home: string;
  secrets: BackedUpSecrets | undefined;
  signal: AbortSignal;
  onBytes: (bytes: number) => void;
};

/**
 * Writes everything next to the home, then turns it into the home by one rename. A kill before the rename leaves an
 * empty home; after it, a home that the next start or restore completes.
 */
export async function restoreHome(restoring: Restoring): Promise<void> {
  const { home, secrets } = restoring;
  requireEmptyHome(home);
  makeHomeFolder(home);
  for (const name of abandonedIn(home)) await rm(join(home, name), { recursive: true, force: true });
  const staging = await mkdtemp(join(home, STAGING));
  try {
    await unpack(restoring, staging);
    if (secrets) await addSecrets(secrets, staging);
    giveToOwner(staging, home);
    await syncFolder(staging);
    requireEmptyHome(home);
    await rename(staging, restoredFolder(home));
  } catch (error) {
    await rm(staging, { recursive: true, force: true });
    throw error;
  }
  finishRestore(home);
  await syncFolder(home);
}

/** Remains of a killed restore do not count. */
export function requireEmptyHome(home: string): void {
  const others = entriesOf(home).filter((name) => !ABANDONED.test(name));
  if (others.length > 0) throw notEmpty(home, others);
}

async function unpack({ archive, checked, signal, onBytes }: Restoring, staging: string): Promise<void> {
  const files: { close: () => Promise<void> }[] = [];
  const endLast = async () => files.pop()?.close();
  async function sinkOf({ name }: { name: string }): Promise<Sink> {
    await endLast();
    if (name === MANIFEST || name === SECRETS) return () => undefined;
    const path = join(staging, name);
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const file = await open(path, 'wx', 0o600);
    files.push({ close: () => file.sync().finally(() => file.close()) });
    return async (part) => {
      await file.writeFile(part);
      onBytes(part.length);
    };
  }
  try {
    compareMembers(await readArchive(archive, { signal, sinkOf }), checked.manifest);
  } finally {
    await endLast();
  }
}

async function addSecrets({ sealKey, settings, upstreams }: BackedUpSecrets, staging: string): Promise<void> {
  const paths = homePaths(staging);
  const save = (path: string, content: string | Buffer) =>
    writeFile(path, content, { mode: 0o600, flush: true });
  await save(paths.sealKey, Buffer.from(sealKey, 'base64'));
  const kept = Object.entries(settings).map(([name, value]) => [name, { value }]);
  if (kept.length > 0) await save(paths.secrets, `${JSON.stringify(Object.fromEntries(kept), null, 2)}\n`);
  for (const [name, key] of Object.entries(upstreams)) {
    const path = join(paths.upstreams, name);
    const connection = JSON.parse(await readFile(path, 'utf8')) as object;
    await save(path, JSON.stringify({ ...connection, key }));
  }
}

/** Root may restore the home of a service that has its own user. */
function giveToOwner(folder: string, home: string): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(home);
  chownSync(folder, uid, gid);
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    chownSync(join(folder, name), uid, gid);
  }
}

async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  await handle.sync().finally(() => handle.close());
}

const abandonedIn = (home: string) => entriesOf(home).filter((name) => ABANDONED.test(name));

function entriesOf(home: string): string[] {
  try {
    return readdirSync(home);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw cause;
  }
}

function notEmpty(home: string, names: readonly string[]): Failure {
  const shown = names.slice(0, 3).join(', ') + (names.length > 3 ? ', …' : '');
  return new Failure(
    'already_exists',
    `${home} is not empty (${shown}), and a backup can only be restored into an empty home. Nothing was changed.`,
    {
      details: {
        fix: `askd down && mv ${home} ${home}.old, or another home: ASKD_HOME=FOLDER askd restore FILE`,
      },
    },
  );
}
