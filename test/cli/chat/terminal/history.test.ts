import { readFileSync, statSync, writeFileSync } from 'node:fs';
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

test('the first message creates the home that holds the history', () => {
  const path = join(temporaryFolder(), 'home', 'history');
  saveHistory(path, ['first']);
  expect(loadHistory(path)).toEqual(['first']);
});

test('a history that cannot be written ends no chat', () => {
  const file = join(temporaryFolder(), 'file');
  writeFileSync(file, '');
  expect(() => saveHistory(join(file, 'history'), ['first'])).not.toThrow();
});
