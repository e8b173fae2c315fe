import type { Clock } from '../base/clock.ts';
import type { Events } from '../events/events.ts';
import { toCredits } from '../base/money.ts';
import type { Task } from '../runtime/manifest.ts';
import type { Store } from '../store/store.ts';
import { halfOf, type Counts } from '../wallet/pricing.ts';
import type { BatchLine, Charge, createCharges, Shortage } from './charges/charge.ts';
import { priceOf } from './charges/prices.ts';

/** Who is asking, and the request id of the answer. */
export type RequestContext = {
  requestId: string;
  accountId: string;
  keyId: string | null;
  /** Set for a request of a batch. */
  batch?: BatchLine | undefined;
  /** Set if one of several models may serve it. */
  attempt?: Attempt;
  /** A simulation counts or paces the pieces of the answer. */
  isPieceByPiece?: boolean;
  /** Called with where the model runs, before anything else happens. */
  onServed?: (by: ServedBy) => void;
  /** Called when a stage starts or ends, at most a few times per request. */
  onStage?: (stage: Stage) => void;
};

/** One model's attempt at a request. */
export type Attempt = {
  artifact: string;
  /** Why the bound model does not serve it. */
  reason?: string;
  /** True for the first model of the request that starts. */
  start: () => boolean;
  /** Whether another model will serve the request after this error. */
  handsOver: (error: unknown) => boolean;
};

/**
 * How far a request is: identified, its model in memory, paid in advance, in a slot, first output made, last output
 * made, and charged.
 */
export type Stage =
  'authenticated' | 'loaded' | 'admitted' | 'started' | 'first_output' | 'ended' | 'settled';

export type ServedBy = { artifact: string; device: string; fallback?: string };

export type MeteredRequest = RequestContext & {
  task: Task;
  model: string;
  artifact: string;
  stream: boolean;
  /** Usage that does not depend on the answer: exact, and counted before it starts. */
  counts: Counts;
  /** The maximum length of an answer that grows token by token. */
  completionTokensMax?: number;
};

export type Outcome = 'finished' | 'disconnected' | 'failed';

/** The work records its actual usage here. It counts as failed until it says otherwise. */
export type Meter = Required<Counts> & {
  cachedTokens: number;
  finishReason: string | null;
  outcome: Outcome;
  /** False if the account cannot pay for more of this answer, which then ends with `length`. */
  mayGoOn(): boolean;
  /** What the account has run out of. */
  shortOf(): Shortage;
};

/** A request whose charge is settled. */
export type SettledRequest = Pick<MeteredRequest, 'requestId' | 'task' | 'artifact'> &
  Pick<Meter, 'promptTokens' | 'cachedTokens' | 'completionTokens' | 'outcome' | 'finishReason'> & {
    durationMs: number;
    costN: number;
  };

export type Metered = ReturnType<typeof createMetered>;

type Options = {
  store: Store;
  events: Events;
  clock: Clock;
  charges: ReturnType<typeof createCharges>;
  /** Whether an answer that fails after it has started is refunded. */
  refundFailed: boolean;
  onSettled?: (request: SettledRequest) => void;
  /** What is simulated for a request, and whether that makes it free. */
  simulatedOf?: (requestId: string) => { text: string; isFree: boolean } | undefined;
};

/** The only way to run a model for an account: paid in advance, and recorded exactly once, however it ends. */
export function createMetered(options: Options) {
  const { store, events, clock, charges, refundFailed, onSettled, simulatedOf } = options;
  /** With the artifact of each. */
  const open = new Map<Meter, string>();
  const ended = { requests: 0, generatedTokens: 0, paidN: 0 };
  const endedByModel = new Map<string, number>();

  /** For streamed answers. Nothing is held before the first `next()`, which throws the errors. */
  async function* run<Event>(
    request: MeteredRequest,
    work: (meter: Meter) => AsyncIterable<Event>,
  ): AsyncGenerator<Event> {
    const { meter, close, cancel } = await begin(request);
    let end: () => unknown = close;
    try {
      yield* work(meter);
    } catch (error) {
      if (request.attempt?.handsOver(error)) end = cancel;
      throw error;
    } finally {
      await end();
    }
  }

  /** For answers in one piece. `costN` is in nano-credits. */
  async function once<Result>(
    request: MeteredRequest,
    work: (meter: Meter) => Promise<Result>,
  ): Promise<{ result: Result; costN: number }> {
    const { meter, close, cancel } = await begin(request);
    const result = await work(meter).catch(async (error: unknown) => {
      if (request.attempt?.handsOver(error)) cancel();
      else await close();
      throw error;
    });
    meter.outcome = 'finished';
    return { result, costN: await close() };
  }

  async function begin(request: MeteredRequest) {
    const fullPrice = priceOf(request.model, request.task);
    const price = request.batch ? halfOf(fullPrice) : fullPrice;
    const startedAt = clock.now();
    const charge = await charges.open({ ...request, price, startedAt }, () => recordStart(request));
    const meter = createMeter(charge);
    open.set(meter, request.artifact);
    const cancel = () => {
      open.delete(meter);
      charge.cancel();
    };
    return { meter, close: () => settle({ request, meter, charge, startedAt }), cancel };
  }

  function recordStart({ task, requestId, accountId, model, stream, batch, attempt }: MeteredRequest): void {
    const isNew = attempt === undefined || attempt.start();
    if (task === 'chat' && !batch && isNew)
      events.record('chat.started', { request_id: requestId, model, stream }, accountId);
  }

  /** Returns the charge, in nano-credits. */
  async function settle({ request, meter, charge, startedAt }: Ending): Promise<number> {
    const simulated = simulatedOf?.(request.requestId);
    const used = simulated?.isFree ? {} : usedBy(request, meter);
    const { requestId: request_id, keyId: key_id, model } = request;
    const { outcome } = meter;
    const durationMs = Math.max(0, clock.now() - startedAt);
    const closing = charge.close({
      used,
      recordedTokens: meter.promptTokens + meter.completionTokens,
      record: { description: describe(model, used), meta: { request_id, key_id, model, used, outcome } },
      isRefunded: refundFailed && outcome === 'failed',
      conclude: (costN) => {
        const row = toUsageRow({ request, meter, startedAt, durationMs, costN });
        store.prepare(INSERT_USAGE).run({ ...row, simulated: simulated?.text ?? null });
        if (request.task === 'chat' && !request.batch) recordEnd(request, meter, costN);
      },
    });
    const paidN = await closing.finally(() => open.delete(meter));
    ended.requests += 1;
    ended.generatedTokens += meter.completionTokens;
    addTo(endedByModel, request.artifact, meter.completionTokens);
    ended.paidN += paidN;
    onSettled?.(settledRequest({ request, meter, durationMs, costN: paidN }));
    return paidN;
  }

  function recordEnd(request: MeteredRequest, meter: Meter, costN: number): void {
    const { promptTokens, completionTokens, outcome, finishReason } = meter;
    const usage = {
      prompt_tokens: promptTokens,
      completion_tokens: completionTokens,
      total_tokens: promptTokens + completionTokens,
    };
    const { requestId, model, accountId } = request;
    const ending = { outcome, finish_reason: finishReason, usage, cost: toCredits(costN) };
    events.record('chat.completed', { request_id: requestId, model, ...ending }, accountId);
  }

  /** In this run of the daemon, including answers still being generated. */
  function totals(): typeof ended {
    let { requests, generatedTokens } = ended;
    for (const { completionTokens } of open.keys()) {
      requests += 1;
      generatedTokens += completionTokens;
    }
    return { ...ended, requests, generatedTokens };
  }

  /** The generated tokens of each artifact, counted in the same way. */
  function tokensByModel(): Map<string, number> {
    const tokens = new Map(endedByModel);
    for (const [{ completionTokens }, artifact] of open) addTo(tokens, artifact, completionTokens);
    return tokens;
  }

  return { run, once, totals, tokensByModel };
}

function addTo(counts: Map<string, number>, name: string, count: number): void {
  counts.set(name, (counts.get(name) ?? 0) + count);
}

type Settling = { request: MeteredRequest; meter: Meter; durationMs: number; costN: number };

function settledRequest({ request, meter, ...figures }: Settling): SettledRequest {
  const { requestId, task, artifact } = request;
  const { promptTokens, cachedTokens, completionTokens, outcome, finishReason } = meter;
  return {
    requestId,
    task,
    artifact,
    promptTokens,
    cachedTokens,
    completionTokens,
    outcome,
    finishReason,
    ...figures,
  };
}

type Ending = { request: MeteredRequest; meter: Meter; charge: Charge; startedAt: number };

function createMeter({ mayGoOn, shortOf }: Charge): Meter {
  return {
    promptTokens: 0,
    cachedTokens: 0,
    completionTokens: 0,
    characters: 0,
    seconds: 0,
    images: 0,
    finishReason: null,
    outcome: 'failed',
    mayGoOn() {
      return mayGoOn(this.completionTokens);
    },
    shortOf,
  };
}

/** An answer that ended before its first token is free, however long its prompt was. */
function usedBy(
  { completionTokensMax = 0 }: MeteredRequest,
  { promptTokens, completionTokens, characters, seconds, images, outcome }: Meter,
): Counts {
  if (outcome !== 'finished' && completionTokensMax > 0 && completionTokens === 0) return {};
  return { promptTokens, completionTokens, characters, seconds, images };
}

function describe(model: string, counts: Counts): string {
  const { promptTokens = 0, completionTokens = 0, characters = 0, seconds = 0, images = 0 } = counts;
  const parts = [
    promptTokens > 0 && `${promptTokens} tokens in`,
    completionTokens > 0 && `${completionTokens} tokens out`,
    characters > 0 && `${characters} characters`,
    seconds > 0 && `${Math.round(seconds)} s`,
    images > 0 && `${images} ${images === 1 ? 'image' : 'images'}`,
  ];
  return `${model}: ${parts.filter(Boolean).join(', ') || 'nothing used'}`;
}

type UsageRow = Omit<Ending, 'charge'> & { durationMs: number; costN: number };

function toUsageRow({ request, meter, ...times }: UsageRow) {
  const { requestId, accountId, keyId, task, model, artifact, batch } = request;
  const { promptTokens, cachedTokens, completionTokens, characters, seconds, images, outcome } = meter;
  const counted = { promptTokens, cachedTokens, completionTokens, characters, seconds, images };
  const batchId = batch?.batchId ?? null;
  return { requestId, accountId, keyId, task, model, artifact, batchId, ...counted, outcome, ...times };
}

const INSERT_USAGE = `
  INSERT INTO usage(id, account_id, key_id, task, model, artifact, prompt_tokens, cached_tokens, completion_tokens,
    characters, seconds, images, outcome, started_at, duration_ms, cost_n,
    simulated, batch_id)
  VALUES(@requestId, @accountId, @keyId, @task, @model, @artifact, @promptTokens, @cachedTokens, @completionTokens,
    @characters, @seconds, @images, @outcome, @startedAt, @durationMs, @costN, @simulated, @batchId)`;
