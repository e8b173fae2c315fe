/** Runs a limited number of tasks at a time; the others queue in order. */
export function createConcurrencyLimit(count: number) {
  const waiting: (() => void)[] = [];
  let free = count;

  return async function run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    }
  };
}

export type ConcurrencyLimit = ReturnType<typeof createConcurrencyLimit>;
