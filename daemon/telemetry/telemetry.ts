import type { Clock } from '../../src/base/clock.ts';
import { toCredits } from '../../src/base/money.ts';
import type { FellBack } from '../../src/inference/fallback/fallback.ts';
import type { ServedBy, SettledRequest, Stage } from '../../src/inference/metered.ts';
import type { PoolEvent } from '../../src/runtime/loads.ts';
import { createMetrics } from './metrics.ts';
import type { Answered, RequestRecord } from './request-record.ts';
import type { Tracer } from './tracing/tracer.ts';

export type Telemetry = ReturnType<typeof createTelemetry>;

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD'];
const LIMITS = [
  'rate_limit_exceeded',
  'insufficient_quota',
  'request_too_large_for_tier',
  'spending_limit_reached',
];

/** What the daemon counts and traces. Nothing here is called per token, only at the stages of a request. */
export function createTelemetry({ clock, tracer }: { clock: Clock; tracer: Tracer | undefined }) {
  const metrics = createMetrics();
  const open = new Map<string, RequestRecord>();
  const crashed = new Set<string>();
  const firstTokens = { count: 0, seconds: 0 };

  function begin(id: string, traceparent: string | undefined): void {
    const stages = new Map<Stage, number>();
    open.set(id, { id, traceparent, beganMs: performance.now(), stages, model: '', settled: undefined });
  }

  function mark(id: string, stage: Stage): void {
    const stages = open.get(id)?.stages;
    if (stages && !stages.has(stage)) stages.set(stage, performance.now());
  }

  function served(id: string, { artifact }: ServedBy): void {
    const record = open.get(id);
    if (record) record.model = artifact;
  }

  function settled(request: SettledRequest): void {
    const { artifact: model, task, outcome, finishReason, durationMs } = request;
    const labels = { model, task };
    metrics.requests({ ...labels, outcome, finish_reason: finishReason ?? '' });
    metrics.requestSeconds(labels, durationMs / 1000);
    metrics.promptTokens(labels, request.promptTokens);
    metrics.generationTokens(labels, request.completionTokens);
    metrics.creditsCharged(labels, toCredits(request.costN));
    if (task === 'chat') {
      metrics.cacheQueries({ model }, request.promptTokens);
      metrics.cacheHits({ model }, request.cachedTokens);
    }
    const record = open.get(request.requestId);
    if (!record) return;
    record.settled = request;
    record.stages.set('settled', performance.now());
    if (task === 'chat') measureChat(record, request);
  }

  function measureChat(
    { beganMs, stages }: RequestRecord,
    { artifact: model, completionTokens }: SettledRequest,
  ) {
    const [admitted, started, first, ended] = CHAT_STAGES.map((stage) => stages.get(stage));
    if (admitted !== undefined && started !== undefined)
      metrics.queueSeconds({ model }, (started - admitted) / 1000);
    if (started === undefined || first === undefined) return;
    metrics.timeToFirstToken({ model }, (first - beganMs) / 1000);
    firstTokens.count += 1;
    firstTokens.seconds += (first - beganMs) / 1000;
    metrics.prefillSeconds({ model }, (first - started) / 1000);
    if (ended === undefined) return;
    metrics.decodeSeconds({ model }, (ended - first) / 1000);
    if (completionTokens > 1)
      metrics.timePerOutputToken({ model }, (ended - first) / 1000 / (completionTokens - 1));
  }

  /** The answer has ended, or its client has disconnected. */
  function end(id: string, { route, method: verb, status, code }: Answered): void {
    const record = open.get(id);
    open.delete(id);
    if (!record) return;
    const method = METHODS.includes(verb) ? verb : 'other';
    metrics.httpRequests({ route, method, model: record.model, status: String(status) });
    metrics.httpSeconds({ route, method }, (performance.now() - record.beganMs) / 1000);
    if (code !== undefined) metrics.failures({ route, code });
    if (code !== undefined && LIMITS.includes(code)) metrics.rateLimited({ code });
    tracer?.record(record, { route, method, status, code }, clock.now());
  }

  function pool(event: PoolEvent): void {
    const model = event.manifest.id;
    if (event.type === 'loaded') {
      metrics.loads({ model });
      metrics.loadSeconds({ model }, event.loadMs / 1000);
      // From 0, so that the first one shows as an increase.
      metrics.unloads({ model, reason: 'crashed' }, 0);
      metrics.evictions({ model }, 0);
      metrics.restarts({ model }, crashed.delete(model) ? 1 : 0);
    } else if (event.type === 'load_failed') {
      metrics.loadFailures({ model, code: event.failure.code });
    } else {
      metrics.unloads({ model, reason: event.reason });
      if (event.reason === 'evicted') metrics.evictions({ model });
      if (event.reason === 'crashed') crashed.add(model);
    }
  }

  function fellBack({ from: model, to: fallback, reason: { code } }: FellBack): void {
    metrics.fallbacks({ model, fallback, code });
  }

  return {
    ...{ begin, mark, served, settled, end, pool, fellBack, registry: metrics.registry },
    /** How many first tokens there have been since the start, and how long all of them took together. */
    firstTokens: () => ({ ...firstTokens }),
  };
}

const CHAT_STAGES = ['admitted', 'started', 'first_output', 'ended'] as const satisfies readonly Stage[];
