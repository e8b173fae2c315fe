import { existsSync, mkdirSync, readdirSync, readlinkSync, rmdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { deleteFile } from '../../../../src/library/storage/delete-file.ts';
import { temporaryFolder } from '../../../helpers/temporary.ts';

const OPEN_FILES = '/proc/self/fd';

/** Whether this process still has a deleted file open, which keeps its space. */
function isHeld(file: string): boolean {
  return readdirSync(OPEN_FILES).some((each) => {
    try {
      return readlinkSync(path.join(OPEN_FILES, each)) === `${file} (deleted)`;
    } catch {
      return false;
    }
  });
}

test('a deleted file loses its name at once, and its space once its folder is removed, too', async () => {
  const folder = path.join(temporaryFolder(), 'models');
  const file = path.join(folder, 'model.gguf');
  mkdirSync(folder);
  writeFileSync(file, 'GGUF');
  deleteFile(file);
  expect(existsSync(file)).toBe(false);
  rmdirSync(folder);
  if (!existsSync(OPEN_FILES)) return;
  expect(isHeld(file)).toBe(true);
  await expect.poll(() => isHeld(file)).toBe(false);
});

test('a file that is not there is no error', () => {
  expect(() => deleteFile(path.join(temporaryFolder(), 'nothing'))).not.toThrow();
});
