/** A first-in, first-out mutex: a task with many steps queues for each of them. */
export function createLock() {
  let last: Promise<unknown> = Promise.resolve();

  return {
    run<Result>(work: () => Promise<Result>): Promise<Result> {
      const result = last.then(work);
      last = result.catch(() => undefined);
      return result;
    },
    /** Settles when everything queued is done. */
    idle: async (): Promise<void> => void (await last),
  };
}

export type Lock = ReturnType<typeof createLock>;
