import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadHistory, saveHistory } from '../../../../cli/chat/terminal/history.ts';
import { temporaryFolder } from '../../../helpers/temporary.ts';

test('the history is kept for its owner alone, oldest first in the file', () => {
  const path = join(temporaryFolder(), 'history');
  saveHistory(path, ['newest', 'older']);
  expect(readFileSync(path, 'utf8')).toBe('older\nnewest\n');
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(loadHistory(path)).toEqual(['newest', 'older']);
});

test('the history is bounded', () => {
  const path = join(temporaryFolder(), 'history');
  saveHistory(
    path,
    Array.from({ length: 1500 }, (_, index) => `line ${index}`),
  );
  const kept = loadHistory(path);
  expect(kept).toHaveLength(1000);
  expect(kept[0]).toBe('line 0');
});

test('without a file it is empty', () => {
  expect(loadHistory(join(temporaryFolder(), 'none'))).toEqual([]);
});
