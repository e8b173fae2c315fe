export type Line = ReturnType<typeof createLine>;

/** Slots for this many requests at a time. The library has its own queue, but restarts requests that wait in it. */
export function createLine(places: number) {
  let free = places;
  const waiting: (() => void)[] = [];

  function leave(): void {
    const next = waiting.shift();
    if (next) next();
    else free += 1;
  }

  return {
    /** Resolves to a function that releases the slot, or to undefined if the signal came first. */
    async enter(signal: AbortSignal): Promise<(() => void) | undefined> {
      if (signal.aborted) return undefined;
      if (free > 0) {
        free -= 1;
        return leave;
      }
      return new Promise((resolve) => {
        const begin = () => {
          signal.removeEventListener('abort', giveUp);
          resolve(leave);
        };
        const giveUp = () => {
          waiting.splice(waiting.indexOf(begin), 1);
          resolve(undefined);
        };
        waiting.push(begin);
        signal.addEventListener('abort', giveUp, { once: true });
      });
    },
  };
}
