import { chmodSync, existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Failure } from '../../../src/base/errors.ts';
import { makeHomeFolder } from '../../../src/base/make-folder.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';

function failureOf(work: () => void): Failure | undefined {
  try {
    work();
  } catch (error) {
    return error as Failure;
  }
  return undefined;
}

/** Root may write anywhere. */
function becomeNobody(): void {
  if (process.geteuid?.() !== 0) return;
  process.seteuid?.(65_534);
  onTestFinished(() => process.seteuid?.(0));
}

test('a folder of the home is created with its parents, for its user only', () => {
  const folder = join(temporaryFolder(), 'a', 'b');
  makeHomeFolder(folder);
  makeHomeFolder(folder);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
});

test.each(['home', 'home/logs'])('%s that cannot be written is reported, with what to do', (name) => {
  const above = temporaryFolder();
  chmodSync(above, 0o755);
  mkdirSync(join(above, 'home'), { mode: 0o555 });
  becomeNobody();
  const failure = failureOf(() => makeHomeFolder(join(above, name)));
  expect(failure).toMatchObject({ code: 'home_not_writable', kind: { exit: 3 } });
  expect(failure?.message).toContain(join(above, name));
  expect(failure?.details['fix']).toMatch(/chown.*chmod.*ASKD_HOME/);
});

test('a file where the home should be is reported', () => {
  const file = join(temporaryFolder(), 'file');
  writeFileSync(file, '');
  expect(failureOf(() => makeHomeFolder(join(file, 'home')))).toMatchObject({ code: 'home_not_writable' });
});

test.runIf(existsSync('/proc/self'))('a parent that cannot contain folders ends the attempt at once', () => {
  expect(failureOf(() => makeHomeFolder('/proc/askd-home/logs'))).toMatchObject({
    code: 'home_not_writable',
    message: expect.stringContaining('/proc/askd-home') as string,
  });
});
