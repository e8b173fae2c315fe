import { mkdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { takeSnapshot } from '../../../src/api/management/snapshot.ts';
import { Failure } from '../../../src/base/errors.ts';
import type { Services } from '../../compose.ts';
import type { RegisterRoute } from '../../http/register-route.ts';
import { checkInThread } from '../../jobs/store-check.ts';

/** Among the uploads, which the next start deletes. */
const NAME = 'snapshot.db';

export function registerSnapshot(register: RegisterRoute, { store, settings, log }: Services): void {
  let running: Promise<unknown> | undefined;

  register(takeSnapshot, async () => {
    if (running)
      throw new Failure('already_running', 'Another backup is being made. Try again when it is done.');
    const path = join(settings.paths.uploads, NAME);
    const copying = copyAndCheck(path);
    running = copying;
    try {
      await copying;
    } catch (error) {
      await rm(path, { force: true });
      throw error;
    } finally {
      running = undefined;
    }
    const { size: bytes } = await stat(path);
    log.info({ bytes }, 'the database was copied for a backup');
    return { path, bytes };
  });

  async function copyAndCheck(path: string): Promise<void> {
    await mkdir(settings.paths.uploads, { recursive: true, mode: 0o700 });
    await rm(path, { force: true });
    await store.copyTo(path);
    const { damage } = await checkInThread(path).done;
    if (damage === undefined) return;
    throw new Failure('store_damaged', `The database is damaged (${damage}), so it was not backed up.`, {
      details: { fix: 'restore the last backup into an empty home: askd restore FILE' },
    });
  }
}
