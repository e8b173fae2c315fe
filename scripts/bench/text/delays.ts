import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

export type Delays = { p50Ms: number; p99Ms: number; maxMs: number };

const WAIT_MS_MAX = 10_000;

/** How late the daemon's event loop is, from within its process. */
export function watchDelays(folder: string) {
  const file = join(folder, 'delays.json');
  const probe = new URL('./delay-probe.js', import.meta.url);
  return {
    settings: { NODE_OPTIONS: `--import ${probe.href}`, ASKD_BENCH_DELAYS: file },
    /** Since it was last asked. */
    async read(pid: number): Promise<Delays> {
      rmSync(file, { force: true });
      process.kill(pid, 'SIGUSR2');
      for (const until = performance.now() + WAIT_MS_MAX; performance.now() < until; await wait(20)) {
        const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
        if (text.endsWith('}')) return JSON.parse(text) as Delays;
      }
      throw new Error('The daemon does not say how late its event loop is');
    },
  };
}
