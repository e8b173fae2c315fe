/** A fault in one response of the store. */
export type Fault =
  | { kind: 'cut'; afterBytes: number }
  | { kind: 'ignore-range' }
  | { kind: 'wrong-bytes' }
  | { kind: 'short-file'; bytes: number }
  | { kind: 'status'; status: number; headers?: Record<string, string> }
  | { kind: 'expired' }
  | { kind: 'drip'; bytesPerSecond: number };

/** The planned faults, each for a number of responses. */
export function createFaults() {
  const faults: { pattern: RegExp; fault: Fault; times: number }[] = [];
  return {
    add: (pattern: RegExp, fault: Fault, times: number) => void faults.push({ pattern, fault, times }),
    take(url: string): Fault | undefined {
      const found = faults.find(({ pattern, times }) => times > 0 && pattern.test(url));
      if (found === undefined) return undefined;
      found.times -= 1;
      return found.fault;
    },
  };
}
