import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createExporter, type Span } from '../../../daemon/telemetry/tracing/exporter.ts';
import { readTraceparent } from '../../../daemon/telemetry/tracing/traceparent.ts';
import { daemonWith, eventually } from '../../helpers/daemon/chat.ts';
import { randomModel } from '../../helpers/models/models.ts';

type OtlpSpan = {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: { key: string; value: Record<string, unknown> }[];
};
type Otlp = { resourceSpans: { scopeSpans: { spans: OtlpSpan[] }[] }[] };

/** A collector that keeps what it receives. If it hangs, it never answers. */
async function openCollector(isHanging = false) {
  const bodies: string[] = [];
  const headers: NodeJS.Dict<string | string[]>[] = [];
  const server: Server = createServer((request, response) => {
    let text = '';
    headers.push(request.headers);
    request.on('data', (part: Buffer) => (text += part.toString()));
    request.on('end', () => {
      bodies.push(text);
      if (!isHanging) response.end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const spans = () =>
    bodies.flatMap((body) =>
      (JSON.parse(body) as Otlp).resourceSpans.flatMap(({ scopeSpans }) =>
        scopeSpans.flatMap((each) => each.spans),
      ),
    );
  return { url: `http://127.0.0.1:${port}`, bodies, headers, spans };
}

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = '00f067aa0ba902b7';

test('a chat is one trace: it continues that of the caller, has a span for each stage, and no text', async () => {
  const collector = await openCollector();
  const daemon = await daemonWith(
    { m: { path: (await randomModel('llama')).path } },
    { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=a%20b' },
  );
  await daemon.call('POST', '/v1/chat/completions', {
    token: daemon.key,
    body: { model: 'm', messages: [{ role: 'user', content: 'a secret word' }], max_tokens: 6, seed: 1 },
    headers: { traceparent: `00-${TRACE}-${PARENT}-01` },
  });
  await eventually(() => collector.spans().length).toBeGreaterThan(7);
  const spans = collector.spans().filter(({ traceId }) => traceId === TRACE);
  const root = spans.find(({ parentSpanId }) => parentSpanId === PARENT);
  expect(root?.name).toBe('POST /v1/chat/completions');
  const stages = spans.filter(({ parentSpanId }) => parentSpanId === root?.spanId);
  expect(stages.map(({ name }) => name)).toEqual([
    'authentication',
    'load',
    'admission',
    'queue',
    'prefill',
    'decode',
    'settle',
  ]);
  for (const [place, { startTimeUnixNano, endTimeUnixNano }] of stages.entries()) {
    expect(BigInt(endTimeUnixNano) >= BigInt(startTimeUnixNano)).toBe(true);
    const next = stages[place + 1];
    if (next) expect(next.startTimeUnixNano).toBe(endTimeUnixNano);
  }
  const attributes = Object.fromEntries(
    (root?.attributes ?? []).map(({ key, value }) => [key, Object.values(value)[0]]),
  );
  expect(attributes).toMatchObject({
    'gen_ai.operation.name': 'chat',
    'gen_ai.response.model': 'm',
    'gen_ai.usage.output_tokens': '6',
    'http.response.status_code': '200',
  });
  expect(collector.bodies.join('')).not.toContain('secret');
  expect(collector.headers[0]).toMatchObject({ 'x-tenant': 'a b' });
});

test('a trace that the caller does not sample is not sent', async () => {
  const collector = await openCollector();
  const daemon = await daemonWith({}, { ASKD_OTLP_ENDPOINT: collector.url });
  await daemon.call('GET', '/v1/models', { headers: { traceparent: `00-${TRACE}-${PARENT}-00` } });
  await daemon.call('GET', '/v1/models', { headers: { traceparent: 'nonsense' } });
  await eventually(() => collector.spans().length).toBeGreaterThan(0);
  expect(collector.spans().every(({ traceId }) => traceId !== TRACE)).toBe(true);
});

const span: Span = {
  traceId: TRACE,
  spanId: PARENT,
  name: 'x',
  kind: 'internal',
  startMs: 1,
  endMs: 2,
  attributes: {},
  isError: false,
};

test('a collector that never answers costs only a bounded queue and one warning', async () => {
  const collector = await openCollector(true);
  const warnings: string[] = [];
  const exporter = createExporter({
    endpoint: collector.url,
    headers: {},
    timeoutMs: 50,
    log: { warn: (_, message) => warnings.push(message) },
  });
  for (let count = 0; count < 10_000; count++) exporter.push([span]);
  await exporter.close();
  expect(exporter.counts()).toEqual({ exported: 0, dropped: 10_000 });
  expect(warnings).toEqual(['traces are not delivered']);
});

test.each([
  [`00-${TRACE}-${PARENT}-01`, { traceId: TRACE, spanId: PARENT, isSampled: true }],
  [`cc-${TRACE}-${PARENT}-00-future`, { traceId: TRACE, spanId: PARENT, isSampled: false }],
  [`ff-${TRACE}-${PARENT}-01`, undefined],
  [`00-${'0'.repeat(32)}-${PARENT}-01`, undefined],
  [`00-${TRACE}-${'0'.repeat(16)}-01`, undefined],
  [`00-${TRACE.toUpperCase()}-${PARENT}-01`, undefined],
  [undefined, undefined],
])('the traceparent %s is read as the standard requires', (header, expected) => {
  expect(readTraceparent(header)).toEqual(expected);
});
