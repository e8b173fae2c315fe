import { anySignal } from '../../../src/base/any-signal.ts';
import { version } from '../../../src/base/version.ts';

export type Attribute = string | number | boolean | readonly string[];
export type Span = {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: 'internal' | 'server';
  startMs: number;
  endMs: number;
  attributes: Readonly<Record<string, Attribute | undefined>>;
  isError: boolean;
};

export type Exporter = ReturnType<typeof createExporter>;

type Options = {
  /** The URL of a collector, such as http://127.0.0.1:4318 */
  endpoint: string;
  headers: Readonly<Record<string, string>>;
  /** For one batch. Defaults to ten seconds. */
  timeoutMs?: number;
  log: { warn: (details: object, message: string) => void };
};

const BATCH = 512;
const QUEUE_MAX = 2048;
const EVERY_MS = 2_000;
const TIMEOUT_MS = 10_000;
const KINDS = { internal: 1, server: 2 } as const;
const ERROR = 2;

/**
 * Sends spans by OTLP over HTTP, as JSON. Nothing waits for it: spans that a slow or dead collector does not take are
 * dropped and counted.
 */
export function createExporter({ endpoint, headers, timeoutMs = TIMEOUT_MS, log }: Options) {
  const url = `${endpoint.replace(/\/+$/, '')}/v1/traces`;
  const closing = new AbortController();
  let queue: Span[] = [];
  let dropped = 0;
  let exported = 0;
  let isFailing = false;
  let sending: Promise<void> | undefined;
  const timer = setInterval(() => void flush(), EVERY_MS).unref();

  function push(spans: readonly Span[]): void {
    const room = QUEUE_MAX - queue.length;
    dropped += Math.max(0, spans.length - room);
    queue.push(...spans.slice(0, room));
    if (queue.length >= BATCH) void flush();
  }

  function flush(): Promise<void> {
    sending ??= sendAll().finally(() => (sending = undefined));
    return sending;
  }

  async function sendAll(): Promise<void> {
    while (queue.length > 0 && !closing.signal.aborted) {
      const batch = queue.slice(0, BATCH);
      queue = queue.slice(BATCH);
      const problem = await send(batch);
      if (problem === undefined) exported += batch.length;
      else dropped += batch.length;
      notice(problem);
      if (problem !== undefined) return;
    }
  }

  async function send(batch: readonly Span[]): Promise<string | undefined> {
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(toOtlp(batch)),
        redirect: 'error',
        signal: anySignal(closing.signal, AbortSignal.timeout(timeoutMs)),
      });
      await response.arrayBuffer();
      return response.ok ? undefined : `HTTP ${response.status}`;
    } catch (error) {
      return (error as Error).message;
    }
  }

  /** Once when it starts to fail, not for each batch. */
  function notice(problem: string | undefined): void {
    if (problem !== undefined && !isFailing) log.warn({ url, problem }, 'traces are not delivered');
    isFailing = problem !== undefined;
  }

  return {
    push,
    flush,
    counts: () => ({ exported, dropped }),
    /** Sends what is left, as long as the collector accepts it. */
    async close(): Promise<void> {
      clearInterval(timer);
      await sending;
      await flush();
      dropped += queue.length;
      queue = [];
      closing.abort();
    },
  };
}

function toOtlp(spans: readonly Span[]) {
  const resource = { attributes: toAttributes({ 'service.name': 'askd', 'service.version': version }) };
  const scope = { name: 'askd', version };
  return { resourceSpans: [{ resource, scopeSpans: [{ scope, spans: spans.map(toOtlpSpan) }] }] };
}

function toOtlpSpan({ kind, startMs, endMs, attributes, isError, ...span }: Span) {
  return {
    ...span,
    kind: KINDS[kind],
    startTimeUnixNano: toNanoseconds(startMs),
    endTimeUnixNano: toNanoseconds(Math.max(startMs, endMs)),
    attributes: toAttributes(attributes),
    status: isError ? { code: ERROR } : {},
  };
}

/** As text, since a number cannot hold so many digits. */
function toNanoseconds(ms: number): string {
  return (BigInt(Math.round(ms * 1000)) * 1000n).toString();
}

function toAttributes(attributes: Span['attributes']) {
  return Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [{ key, value: toValue(value) }],
  );
}

function toValue(value: Attribute): object {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  if (typeof value === 'number')
    return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
  return { arrayValue: { values: value.map((each) => ({ stringValue: each })) } };
}
