import { mkdirSync, readFileSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { openLog } from '../../../src/log/log.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';

test('a line that arrives after the end of the log is dropped without harm', async () => {
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

test('a file that cannot be written loses these lines and nothing else, and is opened again later', async () => {
  const logs = temporaryFolder();
  const inTheWay = join(logs, 'askd.log');
  mkdirSync(inTheWay);
  const { log, close } = openLog({ paths: { logs }, level: 'info' });
  log.info('lost');
  // The file's error is reported some time later.
  const clock = vi.spyOn(performance, 'now');
  await vi.waitUntil(() => clock.mock.calls.length > 0, 20_000);
  log.info('lost too');
  rmdirSync(inTheWay);
  const later = performance.now() + 60_000;
  clock.mockReturnValue(later);
  log.info('kept');
  clock.mockRestore();
  await close();
  const text = readFileSync(inTheWay, 'utf8');
  expect([text.includes('kept'), text.includes('lost')]).toEqual([true, false]);
});
