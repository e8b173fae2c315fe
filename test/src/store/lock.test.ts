import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { builtFile } from '../../../src/base/paths.ts';
import { takeLock } from '../../../src/store/lock.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';

test('the lock is held by one at a time and can be taken again after its release', () => {
  const path = join(temporaryFolder(), 'daemon.lock');
  const first = takeLock(path);
  expect(first).toBeDefined();
  expect(takeLock(path)).toBeUndefined();
  first?.release();
  const second = takeLock(path);
  expect(second).toBeDefined();
  second?.release();
});

test('the lock of a killed process is free at once', async () => {
  const path = join(temporaryFolder(), 'daemon.lock');
  const holder = spawn(process.execPath, ['--input-type=module', '-e', holdLock(path)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(holder.stdout, 'data');
  expect(takeLock(path)).toBeUndefined();
  holder.kill('SIGKILL');
  await once(holder, 'exit');
  const lock = takeLock(path);
  expect(lock).toBeDefined();
  lock?.release();
});

function holdLock(path: string): string {
  return `
    import { takeLock } from ${JSON.stringify(builtFile('src/store/lock.js'))};
    globalThis.lock = takeLock(${JSON.stringify(path)});
    console.log('held');
    setInterval(() => undefined, 1000);
  `;
}
