import { randomBytes } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { anySignal } from '../../../base/any-signal.ts';
import type { Runner } from '../../../runtime/runner.ts';
import { passed, skipped, weak } from '../../step.ts';
import type { CardFinding, CardStep } from '../card-step.ts';

const STREAMS = [1, 8, 32];
const SLOTS = 32;
const CONTEXT_TOKENS = 1024;
/** Length of a prompt whose prefill is measured; the model's tokens are bytes. */
const PROMPT_TOKENS = { long: 768, short: 32 };
const PROMPTS_MAX = 8;
const PREFILL_MS = 4000;
const ANSWER_TOKENS = 900;
const WARM_TOKENS = 4;
const WINDOW_MS = 2000;
/** Tokens per second that no card reaches. */
const SLOWEST = 5;

/** Measures the speed of a model with random weights and the shape of a real one. */
export const speed: CardStep = {
  name: 'speed',
  async *run({ card, start, synthetic }, signal) {
    const load = { slots: SLOTS, contextTokens: CONTEXT_TOKENS, cards: [card] };
    await using runner = await start(synthetic, load, signal);
    const { onCards, all } = runner.description.layers ?? { onCards: 0, all: 0 };
    const place = onCards === all ? '' : `, with ${onCards} of ${all} layers on the card`;
    const { tokens, ms, what } = await measurePrefill(runner, signal);
    yield row('prefill', (1000 * tokens) / ms, what + place);
    let last = Infinity;
    for (const streams of STREAMS) {
      const name = `decode, ${streams} ${streams === 1 ? 'stream' : 'streams'}`;
      if (last < SLOWEST) {
        yield { ...skipped('too slow to be measured with more streams'), name };
        continue;
      }
      await decode(runner, { streams, maxTokens: WARM_TOKENS }, signal);
      last = await decode(runner, { streams, maxTokens: ANSWER_TOKENS }, signal);
      yield row(name, last, place.slice(2));
    }
  },
};

function row(name: string, tokensPerSecond: number, what: string): CardFinding {
  if (!(tokensPerSecond > 0)) return { ...weak('the streams never all ran at once'), name };
  const rounded =
    tokensPerSecond < 10 ? tokensPerSecond.toFixed(1) : Math.round(tokensPerSecond).toLocaleString('en');
  return {
    ...passed(`${rounded} tokens/s${what === '' ? '' : `: ${what}`}`),
    name,
    speed: Math.round(10 * tokensPerSecond) / 10,
  };
}

/** As many long prompts at once as a slow card has time for. */
async function measurePrefill(runner: Runner, signal: AbortSignal) {
  // The first prompt also compiles the card's kernels.
  await prefill(runner, { prompts: 1, length: PROMPT_TOKENS.short }, signal);
  const once = await prefill(runner, { prompts: 1, length: PROMPT_TOKENS.short }, signal);
  const affordable = (PREFILL_MS / once.ms) * once.tokens;
  const prompts = Math.min(PROMPTS_MAX, Math.floor(affordable / PROMPT_TOKENS.long));
  if (prompts === 0) return { ...once, what: `1 × ${once.tokens} tokens of prompt` };
  // Long prompts use different kernels than short ones.
  await prefill(runner, { prompts: 1, length: PROMPT_TOKENS.long }, signal);
  const many = await prefill(runner, { prompts, length: PROMPT_TOKENS.long }, signal);
  return { ...many, what: `${prompts} × ${many.tokens / prompts} tokens of prompt` };
}

type Prefilling = { prompts: number; length: number };

/** Prompts that differ from the first word on, timed until the last has its first token. */
async function prefill(runner: Runner, { prompts, length }: Prefilling, signal: AbortSignal) {
  const startedAt = performance.now();
  const counts = await Promise.all(
    Array.from({ length: prompts }, async () => {
      const text = `${randomBytes(4).toString('hex')}${' and so on'.repeat(length)}`.slice(0, length);
      let tokens = 0;
      for await (const event of streamOf(runner, text, 1, signal)) {
        if (event.type === 'prompt') tokens += event.promptTokens - event.cachedTokens;
      }
      return tokens;
    }),
  );
  signal.throwIfAborted();
  return { ms: performance.now() - startedAt, tokens: counts.reduce((sum, count) => sum + count, 0) };
}

type Mark = { at: number; tokens: number };
type Decoding = { streams: number; maxTokens: number };

/** All streams together, from when the last one has started until the first one ends or the time is up. */
async function decode(
  runner: Runner,
  { streams, maxTokens }: Decoding,
  signal: AbortSignal,
): Promise<number> {
  const stop = new AbortController();
  const until = anySignal(signal, stop.signal);
  setMaxListeners(0, until);
  let running = 0;
  let timer: NodeJS.Timeout | undefined;
  const marks = await Promise.all(
    Array.from({ length: streams }, async () => {
      const seen: Mark[] = [];
      for await (const event of streamOf(runner, randomBytes(4).toString('hex'), maxTokens, until)) {
        if (event.type !== 'text') continue;
        seen.push({ at: performance.now(), tokens: event.completionTokens });
        if (seen.length > 1) continue;
        running += 1;
        if (running === streams) timer = setTimeout(() => stop.abort(), WINDOW_MS);
      }
      if (maxTokens > WARM_TOKENS) stop.abort();
      return seen;
    }),
  );
  clearTimeout(timer);
  signal.throwIfAborted();
  return tokensPerSecond(marks);
}

export function tokensPerSecond(marks: readonly (readonly Mark[])[]): number {
  const from = Math.max(...marks.map((seen) => seen[0]?.at ?? Infinity));
  const to = Math.min(...marks.map((seen) => seen.at(-1)?.at ?? -Infinity));
  if (!(from < to)) return 0;
  const countAt = (seen: readonly Mark[], at: number) => seen.findLast((mark) => mark.at <= at)?.tokens ?? 0;
  const tokens = marks.reduce((sum, seen) => sum + countAt(seen, to) - countAt(seen, from), 0);
  return (1000 * tokens) / (to - from);
}

function streamOf({ chat }: Runner, text: string, maxTokens: number, signal: AbortSignal) {
  if (!chat) throw new Error('The model does not chat');
  const sampling = { temperature: 0, topP: 1, presencePenalty: 0, frequencyPenalty: 0 };
  return chat({ messages: [], raw: { text }, stop: [], sampling, maxTokens }, signal);
}
