import type { Store } from '../../store/store.ts';

/**
 * Requests that run at the same time share their commits. A request that runs alone has nobody to share one with, so
 * it does not wait for the end of the turn.
 */
export function createCommits({ store }: { store: Store }) {
  const running = new Set<object>();
  return {
    began<Request extends object>(request: Request): Request {
      running.add(request);
      return request;
    },
    ended: (request: object): void => void running.delete(request),
    /** Runs `work` in a transaction, at once. It is committed when this returns, or resolves. */
    write: <Result>(work: () => Result): Result | Promise<Result> =>
      running.size > 1 ? store.groupedTransaction(work) : store.relaxedTransaction(work),
  };
}
