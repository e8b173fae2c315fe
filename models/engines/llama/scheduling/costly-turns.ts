import { setTimeout as sleep } from 'node:timers/promises';

/** Work shorter than this holds nobody up. */
const COSTLY_MS = 20;
/** How many times as long as costly work took, tokens are made before the next. */
const REST = 4;

/**
 * Lets work on this thread, such as making grammars, take turns with the running answers: after costly work the next
 * one waits, so that many costly requests together take a bounded share of the time.
 */
export function createCostlyTurns() {
  let line: Promise<unknown> = Promise.resolve();

  return <Result>(work: () => Result | Promise<Result>): Promise<Result> => {
    const done = line.then(async () => {
      const startedAt = performance.now();
      try {
        return { result: await work() };
      } catch (error) {
        return { error };
      } finally {
        const tookMs = performance.now() - startedAt;
        rest = tookMs > COSTLY_MS ? sleep(tookMs * REST) : undefined;
      }
    });
    let rest: Promise<void> | undefined;
    line = done.then(() => rest);
    return done.then((outcome) => {
      if ('error' in outcome) throw outcome.error;
      return outcome.result;
    });
  };
}
