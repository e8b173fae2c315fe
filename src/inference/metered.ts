import type { Clock } from '../clock.ts';
import type { Events } from '../events/events.ts';
import type { Store } from '../store/store.ts';

/** Who asks, and under which number the answer is known. */
export type RequestContext = {
  requestId: string;
  accountId: string;
  keyId: string | null;
  /** Told where the model runs, before anything else happens. */
  onServed?: (by: ServedBy) => void;
};

export type ServedBy = { artifact: string; device: string; fallback?: string };

export type MeteredRequest = RequestContext & {
  task: 'chat';
  model: string;
  artifact: string;
  stream: boolean;
};

export type Outcome = 'finished' | 'disconnected' | 'failed';

export type Meter = {
  promptTokens: number;
  cachedTokens: number;
  completionTokens: number;
  finishReason: string | null;
  outcome: Outcome;
};

export type Metered = ReturnType<typeof createMetered>;

/** The one way to run a model for somebody: what it used is written down exactly once, on every way out. */
export function createMetered({ store, events, clock }: { store: Store; events: Events; clock: Clock }) {
  async function* run<Event>(
    request: MeteredRequest,
    work: (meter: Meter) => AsyncIterable<Event>,
  ): AsyncGenerator<Event> {
    const meter: Meter = {
      promptTokens: 0,
      cachedTokens: 0,
      completionTokens: 0,
      finishReason: null,
      outcome: 'failed',
    };
    const startedAt = clock.now();
    store.transaction(() => {
      const { requestId, model, stream } = request;
      events.record('chat.started', { request_id: requestId, model, stream });
    });
    try {
      yield* work(meter);
    } finally {
      settle({ request, meter, startedAt });
    }
  }

  function settle({
    request,
    meter,
    startedAt,
  }: {
    request: MeteredRequest;
    meter: Meter;
    startedAt: number;
  }): void {
    const { promptTokens, completionTokens, outcome, finishReason } = meter;
    store.transaction(() => {
      store.prepare(INSERT_USAGE).run({
        ...request,
        stream: undefined,
        ...meter,
        startedAt,
        durationMs: Math.max(0, clock.now() - startedAt),
      });
      events.record('chat.completed', {
        request_id: request.requestId,
        model: request.model,
        outcome,
        finish_reason: finishReason,
        usage: {
          prompt_tokens: promptTokens,
          completion_tokens: completionTokens,
          total_tokens: promptTokens + completionTokens,
        },
      });
    });
  }

  return { run };
}

const INSERT_USAGE = `
  INSERT INTO usage(id, account_id, key_id, task, model, artifact, prompt_tokens, cached_tokens, completion_tokens,
    outcome, started_at, duration_ms)
  VALUES(@requestId, @accountId, @keyId, @task, @model, @artifact, @promptTokens, @cachedTokens, @completionTokens,
    @outcome, @startedAt, @durationMs)`;
