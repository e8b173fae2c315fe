import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { binFile } from '../../src/base/paths.ts';
import { install } from '../helpers/daemon/installation.ts';

test('askd status --watch refreshes until Ctrl-C, also when the daemon stops', async () => {
  const { askd, environment } = install();
  await askd(['up']);
  const watching = execa(process.execPath, [binFile('askd.js'), 'status', '--watch', '--json'], {
    env: environment,
    reject: false,
    buffer: false,
  });
  const lines = createInterface({ input: watching.stdout });
  const states: boolean[] = [];
  for await (const line of lines) {
    const { schema, running } = JSON.parse(line) as { schema: string; running: boolean };
    expect(schema).toBe('status/1');
    states.push(running);
    if (states.length === 2) await askd(['down']);
    if (!running) break;
  }
  expect(states.slice(0, 2)).toEqual([true, true]);
  watching.kill('SIGINT');
  expect((await watching).exitCode).toBe(130);
}, 120_000);

test('askd logs --since begins at that time', async () => {
  const { askd, home } = install();
  const logs = join(home, 'logs');
  mkdirSync(logs, { recursive: true });
  const lines = [3 * 3600_000, 60_000, 1000].map((ago, index) =>
    JSON.stringify({ level: 30, time: new Date(Date.now() - ago).toISOString(), msg: `line ${index}` }),
  );
  writeFileSync(join(logs, 'askd.log'), `${lines.join('\n')}\n`);
  const messages = async (...args: string[]) =>
    (await askd(['logs', '--json', ...args])).stdout
      .split('\n')
      .map((line) => (JSON.parse(line) as { msg: string }).msg);
  expect(await messages()).toEqual(['line 0', 'line 1', 'line 2']);
  expect(await messages('--since', '10m')).toEqual(['line 1', 'line 2']);
  expect(await messages('--since', '1d', '-n', '1')).toEqual(['line 2']);
  expect(await messages('--since', '2020-01-31')).toHaveLength(3);
  expect((await askd(['logs', '--since', 'yore'])).exitCode).toBe(2);
});
