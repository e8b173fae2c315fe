import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '../../../src/errors.ts';
import type { ChatEvent, ChatRequest, EndReason } from '../../../src/runtime/engine.ts';
import { createEventQueue } from '../event-queue.ts';
import { createStopMatcher } from '../answer/stop-matcher.ts';
import type { CompletionOptions, CompletionOutcome, Context } from './library.ts';
import { createLine } from './line.ts';
import type { VisionModel } from './model.ts';
import type { WrittenPrompt } from './prompt.ts';

export type Completions = ReturnType<typeof createCompletions>;

type Asked = { prompt: WrittenPrompt; promptTokens: number; request: ChatRequest };

/** As elsewhere: only the likeliest tokens are candidates. */
const CANDIDATES = 40;
const ANY_SEED = 0xffffffff;
const LOOK_EVERY_MS = 2;

/** The library's parallel requests as streams of events. */
export function createCompletions({ context, description }: VisionModel) {
  const { contextTokens, slots } = description;
  const line = createLine(slots);
  const closing = new AbortController();
  const running = new Set<Promise<void>>();
  let counting: Promise<unknown> = Promise.resolve();

  async function* run({ prompt, promptTokens, request }: Asked, client: AbortSignal) {
    refuseTooLong(promptTokens, contextTokens);
    const left = new AbortController();
    const signal = AbortSignal.any([client, left.signal, closing.signal]);
    const events = createEventQueue<ChatEvent>();
    const work = inPlace(signal, async () => {
      events.push({ type: 'prompt', promptTokens, cachedTokens: 0 });
      const tokensMax = Math.min(request.maxTokens, contextTokens - promptTokens);
      const options = toOptions(request, prompt, tokensMax);
      return complete(context, { options, stop: request.stop, promptTokens, emit: events.push }, signal);
    }).then((end) => {
      events.push(end);
      events.end();
    }, events.fail);
    running.add(work);
    try {
      yield* events;
    } finally {
      left.abort();
      await work;
      running.delete(work);
    }
  }

  async function inPlace(signal: AbortSignal, work: () => Promise<End>): Promise<End> {
    const leave = await line.enter(signal);
    if (leave === undefined) return { type: 'end', reason: 'abort', completionTokens: 0 };
    try {
      return await work();
    } finally {
      leave();
    }
  }

  return {
    run,

    /** One after another, so that requests stay in their order. */
    count({ text, images }: WrittenPrompt): Promise<number> {
      const counted = counting.then(async () => {
        const { tokens } = await context.tokenize(text, { media_paths: images });
        return tokens.length;
      });
      counting = counted.catch(() => undefined);
      return counted;
    },

    async close(): Promise<void> {
      closing.abort();
      await Promise.all([counting, ...running]);
    },
  };
}

type End = Extract<ChatEvent, { type: 'end' }>;

type Completing = {
  options: CompletionOptions;
  stop: readonly string[];
  promptTokens: number;
  emit: (event: ChatEvent) => void;
};

/** Ends only when the library is done with the request, since it begins a newcomer again where a place is not free yet. */
async function complete(context: Context, completing: Completing, signal: AbortSignal): Promise<End> {
  const { options, stop, promptTokens, emit } = completing;
  const stops = createStopMatcher(stop);
  let completionTokens = 0;
  let reason: EndReason | undefined;
  let stopText: string | undefined;
  const show = (text: string) => {
    if (text !== '') emit({ type: 'text', text, completionTokens });
  };
  const {
    requestId,
    promise,
    stop: cancel,
  } = await context.parallel.completion(options, (_id, { token }) => {
    if (reason !== undefined) return;
    completionTokens += 1;
    const { text, stop: found } = stops.push(token);
    show(text);
    stopText = found?.found;
    if (found) end('stop');
  });
  const onAbort = () => end('abort');

  function end(why: EndReason): void {
    reason ??= why;
    cancel();
  }

  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  try {
    const outcome = await promise;
    reason = reasonOf(outcome);
    // A character of several tokens comes at once, and a request before this one may be in the library's count.
    completionTokens = Math.max(completionTokens, Math.min(outcome.tokens_predicted, options.n_predict));
    show(stops.flush());
    const cachedTokens = Math.max(0, outcome.timings.cache_n);
    const known = cachedTokens > 0 ? { prompt: { promptTokens, cachedTokens } } : {};
    return { type: 'end', reason, completionTokens, ...known };
  } catch (error) {
    if (reason === undefined) throw error;
    return { type: 'end', reason, completionTokens, ...(stopText !== undefined && { stopText }) };
  } finally {
    signal.removeEventListener('abort', onAbort);
    await isOver(context, requestId);
  }
}

async function isOver(context: Context, requestId: number): Promise<void> {
  while (context.parallel.getStatus().requests.some(({ request_id: id }) => id === requestId)) {
    await sleep(LOOK_EVERY_MS);
  }
}

function toOptions(
  { sampling }: ChatRequest,
  { text, images }: WrittenPrompt,
  tokensMax: number,
): CompletionOptions {
  const { temperature, topP, presencePenalty, frequencyPenalty, seed } = sampling;
  return {
    prompt: text,
    ...(images.length > 0 && { media_paths: images }),
    n_predict: tokensMax,
    temperature,
    // At temperature 0 the library alone would still choose among several.
    top_k: temperature === 0 ? 1 : CANDIDATES,
    top_p: topP,
    min_p: 0,
    penalty_present: presencePenalty,
    penalty_freq: frequencyPenalty,
    penalty_last_n: -1,
    seed: seed === undefined ? randomInt(2 ** 31) : Math.min(seed >>> 0, ANY_SEED - 1),
  };
}

function reasonOf({
  stopped_eos: isEnd,
  stopped_limit: isLimit,
  context_full: isFull,
}: CompletionOutcome): EndReason {
  if (isEnd) return 'stop';
  if (isLimit || isFull) return 'length';
  throw new Error('the engine gave up a request without a reason');
}

function refuseTooLong(promptTokens: number, contextTokens: number): void {
  if (promptTokens < contextTokens) return;
  throw new Failure(
    'context_length_exceeded',
    `This model's context is ${contextTokens} tokens, and messages take ${promptTokens}.`,
    { param: 'messages', details: { n_prompt_tokens: promptTokens, n_ctx: contextTokens } },
  );
}
