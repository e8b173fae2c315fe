import { writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';

/**
 * Loaded into the daemon by `NODE_OPTIONS`, which the other processes also get and ignore. At each SIGUSR2 it writes
 * down how late the event loop has been since the last one.
 */
const RESOLUTION_MS = 5;
const file = process.env['ASKD_BENCH_DELAYS'];

if (file !== undefined && process.argv[1]?.endsWith('askd-daemon.js')) {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  histogram.enable();
  process.on('SIGUSR2', () => {
    // The histogram contains the time between two readings, of which the wait between them is not a delay.
    const lateMs = (value: number) => Math.max(0, value / 1e6 - RESOLUTION_MS);
    const { max } = histogram;
    const delays = { p50Ms: lateMs(histogram.percentile(50)), p99Ms: lateMs(histogram.percentile(99)) };
    writeFileSync(file, JSON.stringify({ ...delays, maxMs: lateMs(max) }));
    histogram.reset();
  });
}
