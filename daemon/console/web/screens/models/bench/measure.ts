import { infer, readEvents } from '../../../data/playground-key.ts';

export const ANSWER_TOKENS = 128;
export const RUNS = 3;
export const STREAMS = 4;

/** One request: when its first text arrived, and how fast the rest came. */
export type Measured = {
  requestId: string | null;
  promptTokens: number;
  answerTokens: number;
  startedAt: number;
  firstAt: number;
  endedAt: number;
};

export type Result = {
  single: readonly Measured[];
  parallel: readonly Measured[];
};

type Chunk = {
  choices?: { delta?: { content?: string | null; reasoning_content?: string | null } }[];
  usage?: { prompt_tokens: number; completion_tokens: number } | null;
  error?: { message: string };
};

const SENTENCE =
  'The quick brown fox jumps over the lazy dog while seven wizards quietly judge its boxing match. ';

/** The beginning is new each time, so that no part of it is cached. */
function prompt(): string {
  const mark = crypto.randomUUID();
  return `${mark}\n${SENTENCE.repeat(22)}\nWrite a long story about this. Do not stop early.`;
}

/** Three requests one after another, then four at once, as an application would send them. */
export async function bench(
  model: string,
  onStep: (step: string) => void,
  signal: AbortSignal,
): Promise<Result> {
  const single: Measured[] = [];
  for (let run = 1; run <= RUNS; run++) {
    onStep(`One stream: request ${run} of ${RUNS}`);
    single.push(await measure(model, signal));
  }
  onStep(`${STREAMS} streams at once`);
  const parallel = await Promise.all(Array.from({ length: STREAMS }, () => measure(model, signal)));
  return { single, parallel };
}

async function measure(model: string, signal: AbortSignal): Promise<Measured> {
  const startedAt = performance.now();
  const body = {
    model,
    messages: [{ role: 'user', content: prompt() }],
    max_tokens: ANSWER_TOKENS,
    stream: true,
    stream_options: { include_usage: true },
  };
  const response = await infer('/v1/chat/completions', body, signal);
  let firstAt: number | undefined;
  let endedAt = startedAt;
  let usage = { prompt_tokens: 0, completion_tokens: 0 };
  for await (const data of readEvents(response)) {
    if (data === '[DONE]') break;
    const chunk = JSON.parse(data) as Chunk;
    if (chunk.error) throw new Error(chunk.error.message);
    const { content, reasoning_content: reasoning } = chunk.choices?.[0]?.delta ?? {};
    if (content || reasoning) {
      endedAt = performance.now();
      firstAt ??= endedAt;
    }
    usage = chunk.usage ?? usage;
  }
  const { prompt_tokens: promptTokens, completion_tokens: answerTokens } = usage;
  if (firstAt === undefined) throw new Error(`${model} answered nothing, so there is nothing to measure.`);
  const requestId = response.headers.get('x-request-id');
  return { requestId, promptTokens, answerTokens, startedAt, firstAt, endedAt };
}

export type Numbers = { firstMs: number; prefill: number; decode: number };

/** The median request. */
export function numbersOf(measured: readonly Measured[]): Numbers {
  const firstMs = median(measured.map(({ startedAt, firstAt }) => firstAt - startedAt));
  const prefill = median(
    measured.map(({ promptTokens, startedAt, firstAt }) => (promptTokens / (firstAt - startedAt)) * 1000),
  );
  const decode = median(measured.map(decodeOf));
  return { firstMs, prefill, decode };
}

function decodeOf({ answerTokens, firstAt, endedAt }: Measured): number {
  return endedAt > firstAt ? ((answerTokens - 1) / (endedAt - firstAt)) * 1000 : 0;
}

/** For all streams together, from the first text of any to the last of any. */
export function totalDecode(measured: readonly Measured[]): number {
  const from = Math.min(...measured.map(({ firstAt }) => firstAt));
  const until = Math.max(...measured.map(({ endedAt }) => endedAt));
  const tokens = measured.reduce((sum, { answerTokens }) => sum + answerTokens, 0);
  return until > from ? (tokens / (until - from)) * 1000 : 0;
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? upper)) / 2;
}
