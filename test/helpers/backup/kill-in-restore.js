import { Buffer } from 'node:buffer';
import fs from 'node:fs';
import fsPromises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';

/** Restores an archive and dies just before the given change to the disk, counted from 1; 0 only counts them. */
const [archive, home, wanted] = process.argv.slice(2);
let changes = 0;

function count(object, names) {
  for (const name of names) {
    const real = object[name];
    object[name] = (...args) => {
      if (++changes === Number(wanted)) process.kill(process.pid, 'SIGKILL');
      return real(...args);
    };
  }
}
count(fs, ['mkdirSync', 'mkdtempSync', 'renameSync', 'rmdirSync', 'rmSync']);
count(fsPromises, ['mkdir', 'mkdtemp', 'open', 'rename', 'rm', 'writeFile']);
syncBuiltinESMExports();

const { checkArchive } = await import('../../../dist/src/backup/check-archive.js');
const { restoreHome } = await import('../../../dist/src/backup/restore-home.js');
const signal = { throwIfAborted: () => undefined };
const checked = await checkArchive(archive, signal);
const secrets = {
  sealKey: Buffer.alloc(32).toString('base64'),
  settings: { hub_token: 'hf_1' },
  upstreams: {},
};
await restoreHome({ archive, checked, home, secrets, signal, onBytes: () => undefined });
process.stdout.write(String(changes));
