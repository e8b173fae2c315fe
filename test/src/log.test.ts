import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openLog } from '../../src/log.ts';
import { temporaryFolder } from '../helpers/temporary.ts';

test('a line that comes after the end of the log is dropped without harm', async () => {
  const logs = temporaryFolder();
  const shown: string[] = [];
  const { log, close } = openLog({ paths: { logs }, level: 'info', echo: (line) => shown.push(line) });
  log.info('in time');
  await close();
  log.info('too late');
  await new Promise((resolve) => setImmediate(resolve));
  const text = readFileSync(join(logs, 'askd.log'), 'utf8');
  expect([text.includes('in time'), text.includes('too late')]).toEqual([true, false]);
  expect(shown).toHaveLength(2);
});
