export type LogTail = ReturnType<typeof createLogTail>;

export type TailedLine = { number: number; line: string };

const LINES_MAX = 500;

/** The latest lines of the log, for live viewers. Lines are numbered from 1 in each run of the daemon. */
export function createLogTail(linesMax = LINES_MAX) {
  const lines: TailedLine[] = [];
  const listeners = new Set<() => void>();
  let latest = 0;
  return {
    latest: () => latest,
    push(line: string): void {
      lines.push({ number: ++latest, line });
      if (lines.length > linesMax) lines.shift();
      for (const listener of listeners) listener();
    },
    after: (number: number): TailedLine[] => lines.filter((each) => each.number > number),
    /** Returns the function that unsubscribes. */
    onLine(listener: () => void): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
