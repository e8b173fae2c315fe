import { monitorEventLoopDelay } from 'node:perf_hooks';

const RESOLUTION_MS = 20;
const WINDOW_MS = 10_000;
const QUANTILES = [0.5, 0.9, 0.99] as const;
/** Scrapers read every minute or more often. */
const UNREAD_WINDOWS_MAX = 30;

/**
 * The event loop's delay over windows of ten seconds, so that several scrapers read the same. Measured from the first
 * reading on, and while readings follow: it wakes the process fifty times a second, also an idle one.
 */
export function measureEventLoop() {
  let measuring: ReturnType<typeof measure> | undefined;
  let unread = 0;

  function onWindow(): void {
    unread += 1;
    if (unread > UNREAD_WINDOWS_MAX) stop();
  }

  function stop(): void {
    measuring?.stop();
    measuring = undefined;
  }

  return {
    lag() {
      unread = 0;
      measuring ??= measure(onWindow);
      return measuring.lag();
    },
    stop,
  };
}

function measure(onWindow: () => void) {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  histogram.enable();
  const read = () => {
    const quantiles = QUANTILES.map(
      (part) => [String(part), lagOf(histogram.percentile(part * 100))] as const,
    );
    return [...quantiles, ['1', lagOf(histogram.max)] as const];
  };
  let last: ReturnType<typeof read> | undefined;
  const timer = setInterval(() => {
    last = read();
    histogram.reset();
    onWindow();
  }, WINDOW_MS).unref();
  return {
    lag: () => last ?? read(),
    stop: () => {
      clearInterval(timer);
      histogram.disable();
    },
  };
}

/** The histogram holds the whole interval between two readings, in nanoseconds. */
function lagOf(nanoseconds: number): number {
  return Number.isFinite(nanoseconds) ? Math.max(0, nanoseconds / 1e9 - RESOLUTION_MS / 1000) : 0;
}
