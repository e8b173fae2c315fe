import type { Services } from '../compose.ts';

/** Rather a little late than early: the sample must have ended. */
const LATE_MS = 5;

/** Records the activity of the last hour even if nobody looks at it. */
export async function sampleActivity({ activity }: Services): Promise<() => Promise<void>> {
  let timer: NodeJS.Timeout;
  const next = (): void => {
    timer = setTimeout(() => {
      activity.advance();
      next();
    }, activity.remainingMs() + LATE_MS).unref();
  };
  next();
  return async () => clearTimeout(timer);
}
