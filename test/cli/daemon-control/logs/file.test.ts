import { appendFileSync, renameSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { followLines, readTail, type Position } from '../../../../cli/daemon-control/logs/file.ts';
import { temporaryFolder } from '../../../helpers/temporary.ts';

const all = () => true;
const numbered = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => `line ${from + index}\n`).join('');

function logFile(text?: string): string {
  const path = join(temporaryFolder(), 'askd.log');
  if (text !== undefined) writeFileSync(path, text);
  return path;
}

test('the last lines come oldest first, and only complete ones', () => {
  const path = logFile(`${numbered(1, 9)}half a li`);
  expect(readTail(path, 2, all).lines).toEqual(['line 8', 'line 9']);
  expect(readTail(path, 0, all).lines).toEqual([]);
});

test('the count is of the lines that pass the filter', () => {
  const path = logFile(numbered(1, 30));
  expect(readTail(path, 2, (line) => line.endsWith('0')).lines).toEqual(['line 20', 'line 30']);
});

test('rotated files are read when the newest is too short', () => {
  const path = logFile(numbered(5, 6));
  writeFileSync(path.replace('askd.log', '20260101-0900-01-askd.log'), numbered(1, 2));
  writeFileSync(path.replace('askd.log', '20260102-0900-01-askd.log'), numbered(3, 4));
  expect(readTail(path, 3, all).lines).toEqual(['line 4', 'line 5', 'line 6']);
  expect(readTail(path, 100, all).lines).toHaveLength(6);
});

test('without a file there are no lines', () => {
  expect(readTail(logFile(), 10, all)).toEqual({ lines: [], position: { inode: undefined, offset: 0 } });
});

function follow(path: string, from: Position) {
  const lines: string[] = [];
  const stop = new AbortController();
  const done = (async () => {
    for await (const line of followLines(path, from, stop.signal)) lines.push(line);
  })().catch(() => undefined);
  return {
    lines,
    sees: (expected: string[]) => vi.waitFor(() => expect(lines).toEqual(expected), 20_000),
    stop,
    done,
  };
}

test('following continues where the tail ended, even inside a line and across a rotation', async () => {
  const path = logFile('one\ntw');
  const { sees, stop, done } = follow(path, readTail(path, 10, all).position);
  appendFileSync(path, 'o\nthree\n');
  await sees(['two', 'three']);
  appendFileSync(path, 'last of the old\n');
  renameSync(path, `${path}.old`);
  writeFileSync(path, 'first of the new\n');
  await sees(['two', 'three', 'last of the old', 'first of the new']);
  stop.abort();
  await done;
});

test('following waits for a missing file, and starts over in one that was emptied', async () => {
  const path = logFile();
  const { sees, stop, done } = follow(path, readTail(path, 10, all).position);
  writeFileSync(path, 'a long first line\n');
  await sees(['a long first line']);
  truncateSync(path);
  appendFileSync(path, 'again\n');
  await sees(['a long first line', 'again']);
  stop.abort();
  await done;
});
