import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { limitTime, type TimeLimit } from '../../../scripts/fuzz/time-limit.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';

const MS_MAX = 200;

test('a process that works is late once it has worked for longer than its limit', async () => {
  const child = await start('process.send("ready", () => { for (;;); });');
  const { limit, afterMs } = await untilLate(child);
  expect(limit.spentMs()).toBeGreaterThanOrEqual(MS_MAX);
  expect(afterMs).toBeGreaterThanOrEqual(MS_MAX);
});

test.runIf(process.platform === 'linux')(
  'a process that gets no turn is late only after ten times its limit',
  async () => {
    const child = await start('process.send("ready");');
    child.kill('SIGSTOP');
    const { limit, afterMs } = await untilLate(child);
    expect(afterMs).toBeGreaterThanOrEqual(10 * MS_MAX);
    expect(limit.spentMs()).toBeLessThan(MS_MAX);
  },
);

async function start(program: string): Promise<ChildProcess> {
  const file = join(temporaryFolder(), 'program.mjs');
  writeFileSync(file, `process.on('message', () => undefined);\n${program}`);
  const child = fork(file);
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child, 'message');
  return child;
}

async function untilLate(child: ChildProcess): Promise<{ limit: TimeLimit; afterMs: number }> {
  const startedAt = performance.now();
  return new Promise((resolve) => {
    const limit = limitTime(child.pid ?? 0, MS_MAX, () =>
      resolve({ limit, afterMs: performance.now() - startedAt }),
    );
  });
}
