export type Line = ReturnType<typeof createLine>;

/** Places for so many at a time. The library has a line of its own, but begins again what waits in it. */
export function createLine(places: number) {
  let free = places;
  const waiting: (() => void)[] = [];

  function leave(): void {
    const next = waiting.shift();
    if (next) next();
    else free += 1;
  }

  return {
    /** Resolves to the way out, or to nothing when the signal was first. */
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
