import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { readPresence } from '../../src/base/presence.ts';

/** A folder that is deleted with its test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'askd-test-'));
  onTestFinished(() => removeHome(folder));
  return folder;
}

/** A command that finds no daemon starts one, which would outlive its test unnoticed. */
export function removeHome(folder: string): void {
  const presence = readPresence(join(folder, 'daemon.json'));
  const isForgotten = presence !== undefined && presence.pid !== process.pid;
  if (isForgotten) process.kill(presence.pid, 'SIGKILL');
  // A stopped process may still be writing a file.
  rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  if (isForgotten)
    throw new Error(`The test left a daemon running. If it has one of its own, announce() that first.`);
}
