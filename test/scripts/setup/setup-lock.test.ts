import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';

const run = promisify(execFile);
const SETUP_LOCK = join(import.meta.dirname, '../../../scripts/setup/setup-lock.js');
const WORK = `
  import { appendFileSync } from 'node:fs';
  import { setTimeout as sleep } from 'node:timers/promises';
  import { withSetupLock } from ${JSON.stringify(SETUP_LOCK)};
  await withSetupLock(process.argv[1], async () => {
    appendFileSync(process.argv[2], 'in ');
    await sleep(50);
    appendFileSync(process.argv[2], 'out ');
  });`;

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'askd-setup-lock-'))));
afterEach(() => rmSync(folder, { recursive: true }));

test('processes that run setup at the same time take turns', async () => {
  await Promise.all([worker(), worker(), worker(), worker()]);
  expect(trace()).toBe('in out in out in out in out ');
  expect(existsSync(lock())).toBe(false);
});

test('the lock of a process that died is cleared, and still only one enters at a time', async () => {
  const ended = run(process.execPath, ['--version']);
  await ended;
  mkdirSync(lock());
  writeFileSync(join(lock(), 'pid'), String(ended.child.pid));
  await Promise.all([worker(), worker()]);
  expect(trace()).toBe('in out in out ');
});

test('a lock whose owner never wrote its name is cleared after a while', async () => {
  mkdirSync(lock());
  await worker();
  expect(trace()).toBe('in out ');
});

async function worker(): Promise<void> {
  await run(process.execPath, ['--input-type=module', '-e', WORK, lock(), join(folder, 'trace')]);
}

function lock(): string {
  return join(folder, 'lock');
}

function trace(): string {
  return readFileSync(join(folder, 'trace'), 'utf8');
}
