import type { Store } from '../../store/store.ts';

/**
 * Requests that come together share their commits. One that comes alone has nobody to share one with, so it is
 * committed at once. Whether others come is known only afterwards, so it counts how the one before it came.
 */
export function createCommits({ store }: { store: Store }) {
  const running = new Set<object>();
  let hadCompany = false;
  let isAlone = true;
  let beganInThisTurn = false;

  function began<Request extends object>(request: Request): Request {
    const hasCompany = running.size > 0 || beganInThisTurn;
    isAlone = !hasCompany && !hadCompany;
    hadCompany = hasCompany;
    running.add(request);
    if (!beganInThisTurn) setImmediate(() => void (beganInThisTurn = false));
    beganInThisTurn = true;
    return request;
  }

  return {
    began,
    ended: (request: object): void => void running.delete(request),
    /** Runs `work` in a transaction, at once. It is committed when this returns, or resolves. */
    write: <Result>(work: () => Result): Result | Promise<Result> =>
      isAlone ? store.relaxedTransaction(work) : store.groupedTransaction(work),
  };
}
