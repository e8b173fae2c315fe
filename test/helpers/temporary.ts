import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A folder that goes with its test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'askd-test-'));
  // A stopped process may still be writing a file.
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));
  return folder;
}
