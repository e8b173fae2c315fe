/** The arrivals at one client, in milliseconds since its batch began, with the number of tokens of each. */
export type Timing = { arrivalsMs: number[]; tokens: number };

export type BatchLimits = { maxTokens: number; deadlineMs: number };

/**
 * Streams one reply, reports when tokens arrive, and returns how many there were. An abort ends it early without an
 * error.
 */
export type StreamReply = (
  request: { prompt: string; maxTokens: number; place: number },
  onTokens: () => void,
  signal: AbortSignal,
) => Promise<number>;

export type OpenModel = { stream: StreamReply; threads: number };

/**
 * Streams all prompts at the same time. If a machine is too slow for the deadline, it is judged by what it did until
 * then.
 */
export async function timeBatch(
  stream: StreamReply,
  prompts: readonly string[],
  { maxTokens, deadlineMs }: BatchLimits,
): Promise<Timing[]> {
  const signal = AbortSignal.timeout(deadlineMs);
  const startedAt = performance.now();
  const timeOne = async (prompt: string, place: number): Promise<Timing> => {
    const arrivalsMs: number[] = [];
    const onTokens = () => arrivalsMs.push(performance.now() - startedAt);
    const tokens = await stream({ prompt, maxTokens, place }, onTokens, signal);
    return { arrivalsMs, tokens };
  };
  return Promise.all(prompts.map(timeOne));
}

/** Undefined if the deadline came first. */
export function firstTokenMs({ arrivalsMs }: Timing): number | undefined {
  return arrivalsMs[0];
}

/**
 * The rate of all streams together while all of them are being generated. Before that, prompts are prefilled; after
 * it, the last streams run less crowded. Zero if there was no such time.
 */
export function tokensPerSecond(timings: readonly Timing[]): number {
  const from = Math.max(...timings.map(({ arrivalsMs }) => arrivalsMs[0] ?? Infinity));
  const to = Math.min(...timings.map(({ arrivalsMs }) => arrivalsMs.at(-1) ?? -Infinity));
  if (!(from < to)) return 0;
  const tokens = timings.map((timing) => tokensBetween(timing, from, to));
  return (1000 * tokens.reduce((sum, count) => sum + count, 0)) / (to - from);
}

/** Several tokens may arrive at once; each arrival then counts as the average number of tokens. */
function tokensBetween({ arrivalsMs, tokens }: Timing, from: number, to: number): number {
  const inside = arrivalsMs.filter((at) => at > from && at <= to).length;
  return (inside * tokens) / arrivalsMs.length;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  const lower = sorted[Math.ceil(sorted.length / 2) - 1] ?? upper;
  return (lower + upper) / 2;
}
