import { setTimeout as sleep } from 'node:timers/promises';
import { anySignal } from '../../base/any-signal.ts';
import { toErrorBody, toFailure } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import { toCredits } from '../../base/money.ts';
import type { DeferredWrites } from '../../store/deferred-writes.ts';
import type { Store } from '../../store/store.ts';
import type { Batch, Batches } from './batches.ts';
import type { Line, Request } from './lines.ts';
import type { Results } from './results.ts';
import { parse } from './validate.ts';

/** How a charge ends: in the transaction of the result, or as if it had never been. */
type Charge = { costN: number; keep: () => void; release: () => void; drop: () => void };

/** One attempt at a line. */
export type Attempt = {
  batchId: string;
  /** Aborts when the batch stops, or when the line makes way for a request that somebody is waiting for. */
  signal: AbortSignal;
  preempt: () => void;
  defer: (charge: Charge) => void;
  chargedN: () => number;
};

export type Answer = { status: number; requestId: string; body: unknown };

export type LineRunnerOptions = {
  store: Store;
  deferred: DeferredWrites;
  batches: Pick<Batches, 'waitsFor' | 'progressed'>;
  results: Pick<Results, 'keep'>;
  /** Sends the request through the API, as the key that created the batch. */
  send: (batch: Batch, request: Request, attempt: Attempt) => Promise<Answer>;
  pauseMs?: number;
};

const PAUSE_MS = 15_000;
const ATTEMPTS_MAX = 3;

/** Time, or the owner, will fix these: the line waits. */
const PAUSING: readonly unknown[] = [
  ...['insufficient_credits', 'credits_on_hold', 'spending_limit_reached', 'insufficient_quota'],
  ...['rate_limit_exceeded', 'queue_full', 'model_loading', 'insufficient_memory', 'model_not_installed'],
  ...['disk_full', 'shutting_down', 'upstream_unavailable'],
];
/** Another attempt may succeed. */
const RETRIED: readonly unknown[] = ['runner_crashed', 'internal_error', 'upstream_failed'];

/** Runs one line of a batch, in as many attempts as needed, and stores its result and its charge in one transaction. */
export function createLineRunner(options: LineRunnerOptions) {
  const { store, deferred, batches, results, send, pauseMs = PAUSE_MS } = options;
  let awake = new AbortController();
  const waiting = new Set<string>();

  async function run(batch: Batch, line: Line, signal: AbortSignal): Promise<void> {
    const request = parse(line.text) as Request;
    for (let tries = 1; ;) {
      const { attempt, charges } = openAttempt(batch.id, signal);
      const answer = await send(batch, request, attempt).catch((error: unknown) => {
        charges.forEach(({ drop }) => drop());
        throw error;
      });
      const code = codeOf(answer);
      const isFinal = !PAUSING.includes(code) && (!RETRIED.includes(code) || tries >= ATTEMPTS_MAX);
      if (!attempt.signal.aborted && isFinal) {
        const result = toResult(request, answer, attempt.chargedN());
        return keep(batch.id, line, result, charges);
      }
      charges.forEach(({ drop }) => drop());
      signal.throwIfAborted();
      if (attempt.signal.aborted) continue;
      if (!PAUSING.includes(code)) tries += 1;
      else await pause(batch.id, answer, signal);
    }
  }

  function keep(batchId: string, line: Line, { isError, text }: Kept, charges: readonly Charge[]): void {
    deferred.write(`line ${line.number} of ${batchId}`, () => {
      store.relaxedTransaction(() => {
        for (const charge of charges) charge.keep();
        results.keep(batchId, { line: line.number, isError, text });
        if (waiting.delete(batchId)) batches.waitsFor(batchId, null);
      });
      for (const { release } of charges) release();
      batches.progressed(batchId);
    });
  }

  async function pause(batchId: string, { body }: Answer, signal: AbortSignal): Promise<void> {
    waiting.add(batchId);
    batches.waitsFor(batchId, (body as ErrorAnswer).error?.message ?? null);
    const either = anySignal(signal, awake.signal);
    await sleep(pauseMs, undefined, { signal: either, ref: false }).catch(() => undefined);
    signal.throwIfAborted();
  }

  return {
    run,
    /** The window of the batch has ended. */
    expire(batchId: string, line: Line): void {
      const { custom_id } = parse(line.text) as Request;
      const error = {
        code: 'batch_expired',
        message: 'This request could not be processed within 24 hours.',
      };
      keep(batchId, line, toText({ custom_id, response: null, error }), []);
    },
    /** Cuts every wait short. */
    retry(): void {
      awake.abort();
      awake = new AbortController();
    },
  };
}

function openAttempt(batchId: string, signal: AbortSignal): { attempt: Attempt; charges: Charge[] } {
  const preempted = new AbortController();
  const charges: Charge[] = [];
  return {
    charges,
    attempt: {
      batchId,
      signal: anySignal(signal, preempted.signal),
      preempt: () => preempted.abort(new Error('Another request needs its place')),
      defer: (charge) => void charges.push(charge),
      chargedN: () => charges.reduce((sum, { costN }) => sum + costN, 0),
    },
  };
}

/** For requests that fail before they are sent. */
export function toAnswer(error: unknown): Answer {
  const failure = toFailure(error);
  return { status: failure.kind.status, requestId: newId('req'), body: toErrorBody(failure) };
}

type ErrorAnswer = { error?: { code?: unknown; message?: string } };

function codeOf({ status, body }: Answer): unknown {
  return status < 400 ? undefined : (body as ErrorAnswer | null)?.error?.code;
}

type Kept = { isError: boolean; text: string };
type Output = { custom_id: string; response: object | null; error: object | null };

function toResult({ custom_id }: Request, { status, requestId, body }: Answer, costN: number): Kept {
  const response = { status_code: status, request_id: requestId, cost: toCredits(costN), body };
  return toText({ custom_id, response, error: null }, status >= 400);
}

function toText(output: Output, isError = true): Kept {
  return { isError, text: JSON.stringify({ id: newId('batch_req'), ...output }) };
}
