import type { Stage } from '../../../src/inference/metered.ts';
import type { Answered, RequestRecord } from '../request-record.ts';
import type { Exporter, Span } from './exporter.ts';
import { newSpanId, newTraceId, readTraceparent } from './traceparent.ts';

export type Tracer = ReturnType<typeof createTracer>;

/** The spans of a request: each from the end of the one before to its own stage. */
const SPANS: readonly { name: string; until: Stage }[] = [
  { name: 'authentication', until: 'authenticated' },
  { name: 'load', until: 'loaded' },
  { name: 'admission', until: 'admitted' },
  { name: 'queue', until: 'started' },
  { name: 'prefill', until: 'first_output' },
  { name: 'decode', until: 'ended' },
  { name: 'settle', until: 'settled' },
];

/** OpenTelemetry's names for what a model does. */
const OPERATIONS: Readonly<Record<string, string>> = {
  chat: 'chat',
  embed: 'embeddings',
  draw: 'generate_content',
};

/** Turns finished requests into spans. If the caller does not sample a request, it is not sent. */
export function createTracer(exporter: Pick<Exporter, 'push'>) {
  function record(request: RequestRecord, answered: Answered, nowMs: number): void {
    const parent = readTraceparent(request.traceparent);
    if (parent && !parent.isSampled) return;
    const traceId = parent?.traceId ?? newTraceId();
    const spanId = newSpanId();
    const endMs = performance.now();
    const toWall = (ms: number) => nowMs - (endMs - ms);
    const root: Span = {
      traceId,
      spanId,
      ...(parent && { parentSpanId: parent.spanId }),
      name: `${answered.method} ${answered.route}`,
      kind: 'server',
      startMs: toWall(request.beganMs),
      endMs: nowMs,
      attributes: attributesOf(request, answered),
      isError: answered.status >= 500 || request.settled?.outcome === 'failed',
    };
    exporter.push([root, ...stagesOf(request, { traceId, parentSpanId: spanId, toWall })]);
  }

  return { record };
}

type Parent = { traceId: string; parentSpanId: string; toWall: (ms: number) => number };

function stagesOf({ beganMs, stages }: RequestRecord, { traceId, parentSpanId, toWall }: Parent): Span[] {
  let from = beganMs;
  const spans: Span[] = [];
  for (const { name, until } of SPANS) {
    const at = stages.get(until);
    if (at === undefined) continue;
    spans.push({
      ...{ traceId, spanId: newSpanId(), parentSpanId, name, kind: 'internal' },
      ...{ startMs: toWall(from), endMs: toWall(at), attributes: {}, isError: false },
    });
    from = at;
  }
  return spans;
}

/** No text of a prompt or an answer, and nothing that identifies a key. */
function attributesOf({ id, model, settled }: RequestRecord, { route, method, status, code }: Answered) {
  return {
    'http.request.method': method,
    'http.route': route,
    'http.response.status_code': status,
    'error.type': code,
    'askd.request_id': id,
    ...(settled && {
      'gen_ai.operation.name': OPERATIONS[settled.task] ?? settled.task,
      'gen_ai.provider.name': 'askd',
      'gen_ai.response.model': model,
      'gen_ai.response.finish_reasons': settled.finishReason === null ? undefined : [settled.finishReason],
      'gen_ai.usage.input_tokens': settled.promptTokens,
      'gen_ai.usage.output_tokens': settled.completionTokens,
      'askd.outcome': settled.outcome,
    }),
  };
}
