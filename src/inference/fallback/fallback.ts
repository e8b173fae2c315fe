import { Failure, type FailureCode } from '../../base/errors.ts';
import type { Attempt } from '../metered.ts';
import { createOutages } from './outages.ts';

/** The model does not run, or has no room. Errors of the request itself are not included. */
const UNABLE: readonly FailureCode[] = [
  'engine_not_installed',
  'model_not_installed',
  'model_load_failed',
  'draft_mismatch',
  'sandbox_unavailable',
  'insufficient_memory',
  'runner_crashed',
  'model_output_invalid',
  'upstream_unavailable',
  'upstream_failed',
  'upstream_refused',
  'queue_full',
];

/** A request that a fallback serves. */
export type FellBack = {
  model: string;
  from: string;
  to: string;
  reason: Failure;
  /** Whether it is the first of this outage. */
  isFirst: boolean;
};

export type Fallbacks = ReturnType<typeof createFallbacks>;

type Options = {
  /** The models that may stand in for a model, best first; empty for a model without fallbacks. */
  candidatesFor: (model: string) => readonly string[];
  onFallback: (fellBack: FellBack) => void;
  /** Called with a model that serves again after an outage. */
  onRecovered: (artifact: string) => void;
  nowMs?: () => number;
};

type Asking = { attempt?: Attempt; client: AbortSignal };

/** Serves a request with the next model when the previous one cannot, as long as the client has received nothing. */
export function createFallbacks({ candidatesFor, onFallback, onRecovered, nowMs }: Options) {
  const outages = createOutages(nowMs);

  /** `isPreface` is true for events that are not yet part of the answer. */
  async function* stream<Context extends Asking, Event>(
    model: string,
    context: Context,
    work: (context: Context) => AsyncIterable<Event>,
    isPreface: (event: Event) => boolean = () => false,
  ): AsyncGenerator<Event> {
    const candidates = candidatesFor(model);
    if (candidates.length === 0) {
      yield* work(context);
      return;
    }
    for (const attempt of attempts(model, context, candidates)) {
      const preface: Event[] = [];
      try {
        for await (const event of work(attempt.context)) {
          if (attempt.isOpen() && isPreface(event)) {
            preface.push(event);
            continue;
          }
          attempt.serves();
          yield* preface.splice(0);
          yield event;
        }
        attempt.serves();
        return yield* preface;
      } catch (error) {
        attempt.failed(error);
      }
    }
  }

  async function once<Context extends Asking, Result>(
    model: string,
    context: Context,
    work: (context: Context) => Promise<Result>,
  ): Promise<Result> {
    const candidates = candidatesFor(model);
    if (candidates.length === 0) return work(context);
    for (const attempt of attempts(model, context, candidates)) {
      try {
        const result = await work(attempt.context);
        attempt.serves();
        return result;
      } catch (error) {
        attempt.failed(error);
      }
    }
    throw new Error('the last attempt neither served nor failed');
  }

  /** Always ends: the last model to fail throws. */
  function* attempts<Context extends Asking>(
    model: string,
    context: Context,
    candidates: readonly string[],
  ): Generator<ReturnType<typeof createAttempt<Context>>> {
    const [bound = ''] = candidates;
    const failures = new Map<string, Failure>();
    const shared = { model, context, bound, resting: outages.of(bound), failures, hasStarted: false };
    const order = outages.inOrder(candidates);
    for (const [index, artifact] of order.entries())
      yield createAttempt({ artifact, isLast: index === order.length - 1, shared });
  }

  function createAttempt<Context extends Asking>({ artifact, isLast, shared }: One<Context>) {
    const { model, context, bound, resting, failures } = shared;
    const isFallback = artifact !== bound;
    const reason = isFallback ? (failures.get(bound) ?? resting) : undefined;
    let isOpen = true;

    const attempt: Attempt = {
      artifact,
      ...(reason && { reason: `${bound}: ${reason.message}` }),
      start: () => !shared.hasStarted && (shared.hasStarted = true),
      handsOver: (error) => !isLast && mayMoveOn(error),
    };

    /** A fallback may also lack what the request needs. */
    function mayMoveOn(error: unknown): error is Failure {
      if (!isOpen || context.client.aborted || !(error instanceof Failure)) return false;
      return UNABLE.includes(error.code) || (isFallback && error.kind.status === 400);
    }

    function serves(): void {
      if (!isOpen) return;
      isOpen = false;
      if (outages.ended(artifact)) onRecovered(artifact);
      if (reason)
        onFallback({ model, from: bound, to: artifact, reason, isFirst: outages.isFirstFor(bound) });
    }

    /** Throws if no other model is to try the request. */
    function failed(error: unknown): void {
      if (error instanceof Failure && isOutage(error) && !context.client.aborted)
        outages.began(artifact, error);
      if (!mayMoveOn(error)) throw error;
      failures.set(artifact, error);
      if (isLast) throw failures.get(bound) ?? error;
    }

    return { context: { ...context, attempt }, isOpen: () => isOpen, serves, failed };
  }

  return { stream, once };
}

/** A full queue is not an outage: it will have room in a moment. */
function isOutage({ code }: Failure): boolean {
  return UNABLE.includes(code) && code !== 'queue_full';
}

type One<Context> = {
  artifact: string;
  isLast: boolean;
  shared: {
    model: string;
    context: Context;
    bound: string;
    /** Why the bound model is skipped for now. */
    resting: Failure | undefined;
    failures: Map<string, Failure>;
    hasStarted: boolean;
  };
};
