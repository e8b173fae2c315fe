/** Lets one through at a time, in the order in which they came: whoever has many pieces of work lines up for each. */
export function createLock() {
  let last: Promise<unknown> = Promise.resolve();

  return {
    run<Result>(work: () => Promise<Result>): Promise<Result> {
      const result = last.then(work);
      last = result.catch(() => undefined);
      return result;
    },
    /** Settles when all that lined up is done. */
    idle: async (): Promise<void> => void (await last),
  };
}

export type Lock = ReturnType<typeof createLock>;
