/** Ollama counts in nanoseconds. */
const NS_PER_MS = 1e6;

export type Times = ReturnType<typeof createTimes>;

/** The times at which an answer reached its phases. */
export function createTimes(nowMs: () => number = () => performance.now()) {
  const beganMs = nowMs();
  let loadedMs = beganMs;
  let saidMs: number | undefined;
  return {
    loaded: (): void => void (loadedMs = nowMs()),
    said: (): void => void (saidMs ??= nowMs()),
    soFar() {
      const endedMs = nowMs();
      const readMs = saidMs ?? endedMs;
      return {
        total_duration: toNs(endedMs - beganMs),
        load_duration: toNs(loadedMs - beganMs),
        prompt_eval_duration: toNs(readMs - loadedMs),
        eval_duration: toNs(endedMs - readMs),
      };
    },
  };
}

function toNs(ms: number): number {
  return Math.round(ms * NS_PER_MS);
}
