/** What one client saw, in milliseconds since its batch began. */
export type Timing = { firstTokenMs: number; lastTokenMs: number; tokens: number };

export type BatchLimits = { maxTokens: number; deadlineMs: number };

/** Streams one reply, says when tokens arrive, and returns how many there were. An abort ends it early without an error. */
export type StreamReply = (
  request: { prompt: string; maxTokens: number; place: number },
  onTokens: () => void,
  signal: AbortSignal,
) => Promise<number>;

/** Streams all prompts at the same time. A machine that is too slow for the deadline is judged by what it did until then. */
export async function timeBatch(
  stream: StreamReply,
  prompts: readonly string[],
  { maxTokens, deadlineMs }: BatchLimits,
): Promise<Timing[]> {
  const signal = AbortSignal.timeout(deadlineMs);
  const startedAt = performance.now();
  const timeOne = async (prompt: string, place: number): Promise<Timing> => {
    const arrivals: number[] = [];
    const onTokens = () => arrivals.push(performance.now() - startedAt);
    const tokens = await stream({ prompt, maxTokens, place }, onTokens, signal);
    return { firstTokenMs: arrivals[0] ?? deadlineMs, lastTokenMs: arrivals.at(-1) ?? deadlineMs, tokens };
  };
  return Promise.all(prompts.map(timeOne));
}

/** Speed after the first token, of one stream. */
export function decodeTokensPerSecond({ firstTokenMs, lastTokenMs, tokens }: Timing): number {
  return tokens < 2 ? 0 : (1000 * (tokens - 1)) / (lastTokenMs - firstTokenMs);
}

/** What all clients of a batch together received, their prompts included. */
export function aggregateTokensPerSecond(timings: readonly Timing[]): number {
  const tokens = timings.reduce((sum, timing) => sum + timing.tokens, 0);
  return (1000 * tokens) / Math.max(...timings.map(({ lastTokenMs }) => lastTokenMs));
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  const lower = sorted[Math.ceil(sorted.length / 2) - 1] ?? upper;
  return (lower + upper) / 2;
}
