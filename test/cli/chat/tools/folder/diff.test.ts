import fc from 'fast-check';
import { expect, test } from 'vitest';
import { unifiedDiff } from '../../../../../cli/chat/tools/folder/diff.ts';

const whole = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join('');

/** The new text: each hunk replaces the old lines that it shows. */
function patched(before: readonly string[], diff: string): string[] {
  const after: string[] = [];
  let done = 0;
  for (const line of diff.split('\n').slice(2)) {
    const start = /^@@ -(\d+) /.exec(line)?.[1];
    if (start !== undefined) {
      after.push(...before.slice(done, Number(start) - 1));
      done = Number(start) - 1;
      continue;
    }
    if (line[0] !== '+') expect(before[done++]).toBe(line.slice(1));
    if (line[0] !== '-') after.push(line.slice(1));
  }
  return [...after, ...before.slice(done)];
}

test('changes far apart are hunks of their own, with the lines around them', () => {
  const before = Array.from({ length: 20 }, (_, index) => `line ${index + 1}`);
  const after = before.with(1, 'second').with(18, 'last but one');
  expect(unifiedDiff('a', whole(before), whole(after)).split('\n')).toEqual([
    ...['--- a', '+++ a', '@@ -1 +1 @@', ' line 1', '-line 2', '+second', ' line 3', ' line 4', ' line 5'],
    ...['@@ -16 +16 @@', ' line 16', ' line 17', ' line 18', '-line 19', '+last but one', ' line 20'],
  ]);
});

test('equal texts have no diff, and any other applies to the old text and makes the new one', () => {
  const text = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 20 });
  fc.assert(
    fc.property(text, text, (before, after) => {
      const diff = unifiedDiff('f', whole(before), whole(after));
      expect(diff === '').toBe(whole(before) === whole(after));
      if (diff === '') return;
      expect(patched(before, diff)).toEqual(after);
    }),
  );
});

test('a missing line break at the end is a difference of its own', () => {
  expect(unifiedDiff('f', 'a\n', 'a').split('\n').slice(2)).toEqual([
    ...['@@ -1 +1 @@', '-a', '+a', '\\ No newline at end of file'],
  ]);
});
