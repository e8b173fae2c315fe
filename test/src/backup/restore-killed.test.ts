import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { checkArchive } from '../../../src/backup/check-archive.ts';
import { finishRestore } from '../../../src/backup/finish-restore.ts';
import { restoreHome } from '../../../src/backup/restore-home.ts';
import { databaseOf, never, writeArchive } from '../../helpers/backup/archives.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';

const PROGRAM = new URL('../../helpers/backup/kill-in-restore.js', import.meta.url).pathname;
const WHOLE = ['askd.db', 'chats', 'chats/last.json', 'seal-key', 'secrets.json'];

const contentOf = (home: string) => readdirSync(home, { recursive: true, encoding: 'utf8' }).sort();

test(
  'killed before any of its changes to the disk, a restore leaves an empty home or a whole one',
  { timeout: 120_000 },
  async () => {
    const archive = await writeArchive(await databaseOf(), [{ name: 'chats/last.json', text: '{}' }]);
    const run = (home: string, change: number) =>
      execa(process.execPath, [PROGRAM, archive, home, String(change)], { reject: false });
    const changes = Number((await run(temporaryFolder(), 0)).stdout);
    expect(changes).toBeGreaterThan(15);
    const wholeAfter: number[] = [];
    for (let change = 1; change <= changes; change++) {
      const home = temporaryFolder();
      expect((await run(home, change)).signal).toBe('SIGKILL');
      // As the next start does.
      finishRestore(home);
      if (existsSync(join(home, 'askd.db'))) {
        wholeAfter.push(change);
        expect(contentOf(home)).toEqual(WHOLE);
      } else {
        const checked = await checkArchive(archive, never);
        await restoreHome({
          archive,
          checked,
          home,
          secrets: undefined,
          signal: never,
          onBytes: () => undefined,
        });
        expect(contentOf(home)).toEqual(['askd.db', 'chats', 'chats/last.json']);
      }
      expect(readFileSync(join(home, 'chats/last.json'), 'utf8')).toBe('{}');
    }
    expect(wholeAfter.length).toBeGreaterThan(2);
    expect(wholeAfter.length).toBeLessThan(changes - 5);
  },
);
