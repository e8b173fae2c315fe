import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openHistory } from '../../../../cli/chat/terminal/history.ts';
import { temporaryFolder } from '../../../helpers/temporary.ts';

function open(path = join(temporaryFolder(), 'history')) {
  const problems: string[] = [];
  return { path, problems, history: openHistory(path, (problem) => problems.push(problem)) };
}

test('the history is kept for its owner alone, oldest first in the file', () => {
  const { path, history, problems } = open();
  history.add(['older']);
  history.add(['newest', 'of\ntwo lines']);
  expect(readFileSync(path, 'utf8')).toBe('older\nnewest\nof\u2028two lines\n');
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(history.load()).toEqual(['of\ntwo lines', 'newest', 'older']);
  expect(problems).toEqual([]);
});

test('the history is bounded', () => {
  const { history } = open();
  history.add(Array.from({ length: 1500 }, (_, index) => `line ${index}`));
  const kept = history.load();
  expect(kept).toHaveLength(1000);
  expect(kept[0]).toBe('line 1499');
});

test('what was said again is kept once, as the newest', () => {
  const { history } = open();
  history.add(['one', 'two', 'one']);
  expect(history.load()).toEqual(['one', 'two']);
});

test('without a file it is empty', () => {
  const { history, problems } = open();
  expect(history.load()).toEqual([]);
  expect(problems).toEqual([]);
});

test('the first message creates the home that holds the history', () => {
  const { history } = open(join(temporaryFolder(), 'home', 'history'));
  history.add(['first']);
  expect(history.load()).toEqual(['first']);
});

test('a history that cannot be written is reported once, by its path and the reason, and ends no chat', () => {
  const folder = temporaryFolder();
  const home = join(folder, 'home');
  const { path, history, problems } = open(join(home, 'history'));
  expect(history.load()).toEqual([]);
  writeFileSync(home, 'a file where the folder should be');
  history.add(['first']);
  history.add(['second']);
  expect(problems).toEqual([`The input history cannot be saved (not a directory): ${path}`]);

  rmSync(home);
  history.add(['third']);
  expect(history.load()).toEqual(['third']);
});

test('a history that cannot be read is never replaced', () => {
  const { path, history, problems } = open();
  mkdirSync(path);
  expect(history.load()).toEqual([]);
  history.add(['first']);
  expect(problems).toEqual([`The input history cannot be saved (illegal operation on a directory): ${path}`]);
  expect(readdirSync(join(path, '..'))).toEqual(['history']);
  expect(statSync(path).isDirectory()).toBe(true);
});
