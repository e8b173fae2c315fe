import type { Services } from '../compose.ts';

/** A little late rather than early: the sample must be over. */
const LATE_MS = 5;

/** Keeps the activity of the last hour while nobody looks at it. */
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
