import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { anySignal } from '../../../src/base/any-signal.ts';
import { contextLengthExceeded } from '../../../src/base/context-length.ts';
import type { ChatEvent, ChatRequest, EndReason } from '../../../src/runtime/engine.ts';
import { createEventQueue } from '../event-queue.ts';
import { createAnswer, type Tally } from './answer.ts';
import { boundsOf } from './bounds.ts';
import type { CompletionOptions, CompletionOutcome, Context } from './library.ts';
import { createLine } from './line.ts';
import type { VisionModel } from './model.ts';
import type { WrittenPrompt } from './prompt.ts';

export type Completions = ReturnType<typeof createCompletions>;

type PreparedRequest = { prompt: WrittenPrompt; promptTokens: number; request: ChatRequest };

/** Top-k, as in the other engine. */
const CANDIDATES = 40;
/** llama.cpp's default window of penalties. */
const REPEAT_LAST_TOKENS = 64;
const ANY_SEED = 0xffffffff;
const LOOK_EVERY_MS = 2;

/** The library's parallel requests as event streams. */
export function createCompletions({ context, description, facts }: VisionModel) {
  const { contextTokens, slots } = description;
  const line = createLine(slots);
  const closing = new AbortController();
  const running = new Set<Promise<void>>();
  let counting: Promise<unknown> = Promise.resolve();

  async function* run({ prompt, promptTokens, request }: PreparedRequest, client: AbortSignal) {
    refuseTooLong(promptTokens, contextTokens);
    const bounds = boundsOf(prompt.plan, facts.controlTexts);
    const left = new AbortController();
    const signal = anySignal(client, left.signal, closing.signal);
    const events = createEventQueue<ChatEvent>();
    const tokensMax = Math.min(request.maxTokens, contextTokens - promptTokens);
    const tally: Tally = { completionTokens: 0 };
    const seed = request.sampling.seed ?? randomInt(2 ** 31);
    let isPromptReported = false;

    /** The library prefills the prompt for each choice: requests share nothing. */
    const runOne = async (choice: number): Promise<void> => {
      const answer = createAnswer({ request, plan: prompt.plan, choice, tally, emit: events.push });
      const leave = await line.enter(signal);
      try {
        if (leave && !isPromptReported) events.push({ type: 'prompt', promptTokens, cachedTokens: 0 });
        isPromptReported ||= leave !== undefined;
        const requested = toOptions(request, prompt, tokensMax, seed + choice);
        const options = { ...requested, ...bounds, min_p: Math.max(requested.min_p, bounds.min_p ?? 0) };
        const end = leave
          ? await complete(context, { options, promptTokens, answer }, signal)
          : aborted(tally);
        if (end.reason !== 'abort') events.push(end);
      } finally {
        leave?.();
      }
    };
    const choices = Array.from({ length: request.choices ?? 1 }, (_, choice) => runOne(choice));
    const work = Promise.all(choices).then(() => {
      if (signal.aborted) events.push(aborted(tally));
      events.end();
    }, events.fail);
    running.add(work);
    try {
      yield* events;
    } finally {
      left.abort();
      await Promise.allSettled(choices);
      await work;
      running.delete(work);
    }
  }

  return {
    run,

    /** One after another, so that requests keep their order. */
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

function aborted({ completionTokens }: Tally): End {
  return { type: 'end', reason: 'abort', completionTokens };
}

type Completing = {
  options: CompletionOptions;
  promptTokens: number;
  answer: ReturnType<typeof createAnswer>;
};

/** Returns only when the library has finished the request, because it restarts a new one whose slot is not free yet. */
async function complete(context: Context, completing: Completing, signal: AbortSignal): Promise<End> {
  const { options, promptTokens, answer } = completing;
  let reason: EndReason | undefined;
  const {
    requestId,
    promise,
    stop: cancel,
  } = await context.parallel.completion(options, (_id, { token }) => {
    if (reason === undefined && answer.accept(token)) end('stop');
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
    // A character of several tokens arrives at once, and an earlier request may be included in the library's count.
    answer.count(Math.max(0, Math.min(outcome.tokens_predicted, options.n_predict) - answer.tokens()));
    const cachedTokens = Math.max(0, outcome.timings.cache_n);
    const known = cachedTokens > 0 ? { prompt: { promptTokens, cachedTokens } } : {};
    return { ...answer.finish(reasonOf(outcome)), ...known };
  } catch (error) {
    if (reason === undefined) throw error;
    return answer.finish(reason);
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
  seed: number,
): CompletionOptions {
  const { temperature, topP, topK = CANDIDATES, minP = 0, typicalP = 1 } = sampling;
  const { presencePenalty, frequencyPenalty, repeatPenalty = 1, repeatLastTokens } = sampling;
  return {
    prompt: text,
    ...(images.length > 0 && { media_paths: images }),
    n_predict: tokensMax,
    temperature,
    // At temperature 0, the library by itself would still sample among several.
    top_k: temperature === 0 ? 1 : topK,
    top_p: topP,
    min_p: minP,
    typical_p: typicalP,
    penalty_repeat: repeatPenalty,
    penalty_present: presencePenalty,
    penalty_freq: frequencyPenalty,
    penalty_last_n: repeatLastTokens ?? (repeatPenalty === 1 ? -1 : REPEAT_LAST_TOKENS),
    seed: Math.min(seed >>> 0, ANY_SEED - 1),
  };
}

function reasonOf({
  stopped_eos: isEnd,
  stopped_limit: isLimit,
  context_full: isFull,
}: CompletionOutcome): EndReason {
  if (isEnd) return 'stop';
  if (isLimit || isFull) return 'length';
  throw new Error('the engine dropped a request without a reason');
}

function refuseTooLong(promptTokens: number, contextTokens: number): void {
  if (promptTokens < contextTokens) return;
  throw contextLengthExceeded({ promptTokens, contextTokens });
}
