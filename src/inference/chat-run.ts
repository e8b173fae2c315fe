import type { DraftCounts } from '../config/speculative.ts';
import { Failure } from '../base/errors.ts';
import type { ChatEvent, ChatRequest, EndReason, PromptCount, Sampling } from '../runtime/engine.ts';
import type { Runner } from '../runtime/runner.ts';
import type { Shortage } from './charges/charge.ts';
import type { Meter, Stage } from './metered.ts';

export type ChatInput = Omit<ChatRequest, 'maxTokens' | 'askedTokens' | 'sampling'> & {
  model: string;
  stream: boolean;
  maxTokens?: number;
  /** What the client requested; the model's defaults, then the API's, fill in the rest. */
  sampling: Partial<Sampling>;
  apiSampling?: Partial<Sampling>;
};

/** With all defaults. */
type WholeInput = Omit<ChatInput, 'sampling' | 'apiSampling'> & { sampling: Sampling };

/** Ends with one `end` for each choice. A client that disconnects ends it early; everything else throws. */
export type ChatProgress =
  | Exclude<ChatEvent, { type: 'end' }>
  | {
      type: 'end';
      reason: Exclude<EndReason, 'abort'> | 'content_filter';
      completionTokens: number;
      choice?: number;
      reasoningTokens?: number;
      drafts?: DraftCounts;
      stopText?: string;
      detail?: Shortage;
      prompt?: PromptCount;
    };

export type Generation = {
  runner: Runner;
  input: WholeInput & { maxTokens: number; askedTokens: number | undefined };
  signal: AbortSignal;
  meter: Meter;
  /** What to throw if something other than the client stopped the engine; undefined if it was the client. */
  stopped: () => Error | undefined;
  onStage?: (stage: Stage) => void;
};

/** Passes on and counts what the engine generates, and ends every choice when the account can pay no more. */
export async function* generate({
  runner,
  input,
  signal,
  meter,
  stopped,
  onStage,
}: Generation): AsyncGenerator<ChatProgress> {
  if (!runner.chat) throw new Error('This model does not chat');
  const { askedTokens, ...request } = input;
  const open = new Set(Array.from({ length: input.choices ?? 1 }, (_, choice) => choice));
  const requested = askedTokens === undefined ? {} : { askedTokens };
  let isFirst = true;
  for await (const event of runner.chat({ ...request, ...requested }, signal)) {
    count(meter, event);
    if (event.type === 'end') onStage?.('ended');
    else {
      if (isFirst && event.type !== 'prompt') {
        isFirst = false;
        onStage?.('first_output');
      }
      yield event;
      if (event.type === 'prompt' || meter.mayGoOn()) continue;
      onStage?.('ended');
      yield* cutAll(meter, event.completionTokens, open);
      return;
    }
    if (event.reason !== 'abort') {
      open.delete(event.choice ?? 0);
      yield finish(meter, { ...event, reason: event.reason });
    } else {
      const failure = stopped();
      if (failure !== undefined) throw failure;
    }
  }
}

function count(meter: Meter, event: ChatEvent): void {
  if (event.type === 'prompt') {
    meter.promptTokens = event.promptTokens;
    meter.cachedTokens = event.cachedTokens;
  } else {
    meter.completionTokens = event.completionTokens;
    if (event.type === 'end' && event.prompt) Object.assign(meter, event.prompt);
  }
}

function* cutAll(meter: Meter, completionTokens: number, open: ReadonlySet<number>): Generator<ChatProgress> {
  for (const choice of open) {
    yield finish(meter, {
      reason: 'length',
      completionTokens,
      ...(choice > 0 && { choice }),
      detail: meter.shortOf(),
    });
  }
}

type End = {
  reason: Exclude<EndReason, 'abort'>;
  completionTokens: number;
  choice?: number;
  reasoningTokens?: number;
  drafts?: DraftCounts;
  stopText?: string;
  prompt?: PromptCount;
  detail?: Shortage;
};

function finish(meter: Meter, end: End): ChatProgress {
  meter.outcome = 'finished';
  meter.finishReason = end.reason;
  return { ...end, type: 'end' };
}

export function stoppedByUs(daemon: AbortSignal): Error {
  if (daemon.aborted) return daemon.reason as Error;
  return new Failure(
    'runner_crashed',
    'The model was stopped while it was answering. The next request loads it again.',
  );
}
