import { closeSync, existsSync, openSync, readSync, writeFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { setInterval } from 'node:timers';
import { Buffer } from 'node:buffer';

/**
 * Loaded into the daemon by NODE_OPTIONS: measures how late its event loop is through its own fault. Time during
 * which the thread waited for a core used by other programs is subtracted, as counted by Linux; blocking calls, and
 * waits for the disk, count. At each SIGUSR2 it writes down what it has seen since the last one. ASKD_TEST_BLOCK_MS
 * plants a delay for it to find.
 */
const EVERY_MS = 5;
const BLOCK_EVERY_MS = 150;
const { ASKD_TEST_LATENESS: file, ASKD_TEST_BLOCK_MS: blockMs } = process.env;

if (file !== undefined && process.argv[1]?.endsWith('askd-daemon.js')) watch(file);

function watch(path) {
  const waited = openWaited();
  let lates = [];
  let last = { at: performance.now(), waitedMs: waited() };
  setInterval(() => {
    const now = { at: performance.now(), waitedMs: waited() };
    lates.push(Math.max(0, now.at - last.at - EVERY_MS - (now.waitedMs - last.waitedMs)));
    last = now;
  }, EVERY_MS).unref();
  const ownMs = () => performance.now() - waited();
  if (blockMs !== undefined) setInterval(() => block(Number(blockMs), ownMs), BLOCK_EVERY_MS).unref();
  process.on('SIGUSR2', () => {
    const sorted = lates.toSorted((a, b) => a - b);
    const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
    writeFileSync(
      path,
      JSON.stringify({ looks: sorted.length, p50Ms: at(0.5), p99Ms: at(0.99), maxMs: at(1) }),
    );
    lates = [];
  });
}

/** Milliseconds for which this thread was ready but had no core; undefined if the system does not count them. */
function openWaited() {
  const counts = '/proc/thread-self/schedstat';
  if (!existsSync(counts)) return () => 0;
  const descriptor = openSync(counts, 'r');
  process.on('exit', () => closeSync(descriptor));
  const text = Buffer.alloc(128);
  return () => {
    const bytes = readSync(descriptor, text, 0, text.length, 0);
    return Number(text.toString('latin1', 0, bytes).split(' ')[1]) / 1e6;
  };
}

function block(milliseconds, clock) {
  const until = clock() + milliseconds;
  while (clock() < until);
}
