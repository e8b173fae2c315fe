import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { measureEventLoop } from '../../../daemon/telemetry/event-loop.ts';
import { startKillable } from '../../helpers/daemon/killable-daemon.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';

/** The main thread gives up its core each time that it goes back to waiting. */
async function wakeUpsInASecond(pid: number): Promise<number> {
  const count = () =>
    Number(/^voluntary_ctxt_switches:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
  const before = count();
  await sleep(1000);
  return count() - before;
}

test.runIf(process.platform === 'linux')(
  'a daemon that nobody asks anything hardly ever wakes up',
  { timeout: 90_000 },
  async () => {
    const { control } = await startKillable(temporaryFolder(), { ASKD_OFFLINE: 'true' });
    const { pid } = await control<{ pid: number }>('GET', '/api/daemon/status');
    await vi.waitFor(async () => expect(await wakeUpsInASecond(pid)).toBeLessThan(10), { timeout: 60_000 });
  },
);

test('the delay of the event loop is measured from the first reading on', async () => {
  const loop = measureEventLoop();
  onTestFinished(loop.stop);
  expect(loop.lag()).toEqual([
    ['0.5', 0],
    ['0.9', 0],
    ['0.99', 0],
    ['1', 0],
  ]);
  await vi.waitFor(() => {
    const until = performance.now() + 200;
    while (performance.now() < until);
    expect(loop.lag().at(-1)?.[1]).toBeGreaterThan(0.1);
  });
});
