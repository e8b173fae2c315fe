import type { Failure } from '../base/errors.ts';
import { toFailure, type FailureCode } from '../base/errors.ts';
import type { Chat, ChatContext, ChatInput } from '../inference/chat.ts';
import { fits } from './schemas.ts';
import type { AgentUsage } from './types.ts';

type Schema = { readonly [keyword: string]: unknown };
type Messages = ChatInput['messages'];

/** A question for the model: the prompt, the schema of the answer, and its maximum length. */
export type Question = {
  messages: Messages;
  schema: Schema;
  maxTokens: number;
  /** A schema from elsewhere: the grammar enforces it, but nothing here knows all of its keywords. */
  isForeign?: true;
};
export type Writing = { messages: Messages; maxTokens: number; stop?: readonly string[] };

export type Model = ReturnType<typeof createModel>;

const SEED = 7;
const TEMPERATURE = { decide: 0, write: 0.2 };
/** Failures of the model itself: a run can continue without this answer. All others reach the caller. */
const MODEL_TROUBLE: readonly FailureCode[] = [
  'runner_crashed',
  'upstream_failed',
  'upstream_unavailable',
  'context_length_exceeded',
  'context_too_small',
];
const WORTH_WAITING: readonly FailureCode[] = [
  'rate_limit_exceeded',
  'queue_full',
  'model_loading',
  'runner_crashed',
];
const WAIT_MS_MAX = 65_000;

type Parts = {
  chat: Chat;
  name: string;
  /** Each call is its own request in the ledger, identified by this and a number. */
  runId: string;
  caller: Pick<ChatContext, 'accountId' | 'keyId' | 'daemon'>;
  usage: AgentUsage;
  onWait: (seconds: number, failure: Failure) => void;
};

/** The model of a run. Every call is metered. */
export function createModel({ chat, name, runId, caller, usage, onWait }: Parts) {
  let trouble: Failure | undefined;

  async function* call(
    input: Omit<ChatInput, 'model' | 'stream' | 'sampling'> & { temperature: number },
    signal: AbortSignal,
  ) {
    usage.model_calls += 1;
    const { temperature, ...rest } = input;
    const sampling = { temperature, topP: 1, presencePenalty: 0, frequencyPenalty: 0, seed: SEED };
    const context = { ...caller, requestId: `${runId}.${usage.model_calls}`, client: signal };
    let prompt = 0;
    let completion = 0;
    try {
      // Reasoning before every small decision would take longer than everything else.
      const reasoning = { effort: 'none' as const };
      const request = { ...rest, model: name, stream: false, sampling, reasoning };
      for await (const event of chat.complete(request, context)) {
        if (event.type === 'prompt') prompt = event.promptTokens;
        else completion = event.completionTokens;
        if (event.type === 'end' && event.prompt) prompt = event.prompt.promptTokens;
        yield event;
      }
      signal.throwIfAborted();
    } finally {
      usage.prompt_tokens += prompt;
      usage.completion_tokens += completion;
      usage.total_tokens = usage.prompt_tokens + usage.completion_tokens;
    }
  }

  /** The value, or undefined if the model produced none that fits; the caller then decides without it. */
  async function ask<Value>(
    { messages, schema, maxTokens, isForeign }: Question,
    signal: AbortSignal,
  ): Promise<Value | undefined> {
    const input = {
      messages,
      maxTokens,
      stop: [],
      temperature: TEMPERATURE.decide,
      format: { type: 'schema' as const, schema },
    };
    const whole = await withRetry(() => collect(call(input, signal)), signal);
    const value = whole?.isComplete ? parse(whole.text) : undefined;
    return value !== undefined && (isForeign || fits(schema, value)) ? (value as Value) : undefined;
  }

  /** Streams the text. It may end early, or be empty. */
  async function* write(
    { messages, maxTokens, stop = [] }: Writing,
    signal: AbortSignal,
  ): AsyncGenerator<string> {
    const input = { messages, maxTokens, stop, temperature: TEMPERATURE.write };
    try {
      for await (const event of call(input, signal)) if (event.type === 'text') yield event.text;
    } catch (error) {
      noteTrouble(error, signal);
    }
  }

  /** Waits and retries once where that helps. If the model itself cannot do it, that is not an error. */
  async function withRetry<Result>(
    work: () => Promise<Result>,
    signal: AbortSignal,
  ): Promise<Result | undefined> {
    try {
      return await work();
    } catch (error) {
      signal.throwIfAborted();
      const failure = toFailure(error);
      if (!WORTH_WAITING.includes(failure.code)) return noteTrouble(error, signal);
      const seconds = failure.retryAfterSeconds ?? 1;
      if (seconds * 1000 > WAIT_MS_MAX) throw failure;
      onWait(seconds, failure);
      await pause(seconds * 1000, signal);
      return await work().catch((again: unknown) => noteTrouble(again, signal));
    }
  }

  function noteTrouble(error: unknown, signal: AbortSignal): undefined {
    signal.throwIfAborted();
    const failure = toFailure(error);
    if (!MODEL_TROUBLE.includes(failure.code)) throw error;
    trouble = failure;
  }

  return {
    ask,
    write,
    count: (messages: Messages, signal: AbortSignal) =>
      chat.count({ model: name, messages }, { client: signal, daemon: caller.daemon }),
    /** The last failure, if any. */
    trouble: () => trouble,
  };
}

async function collect(events: ReturnType<Chat['complete']>) {
  let text = '';
  let isComplete = false;
  for await (const event of events) {
    if (event.type === 'text') text += event.text;
    if (event.type === 'end') isComplete = event.reason === 'stop';
  }
  return { text, isComplete };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text.trim());
  } catch {
    return undefined;
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', onAbort);
      resolve();
    }, ms);
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
  });
}
