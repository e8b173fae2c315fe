import type { Clock } from '../../src/base/clock.ts';
import { Failure } from '../../src/base/errors.ts';
import type { Settings } from '../../src/config/config.ts';
import type { Log } from '../../src/log/log.ts';
import type { Metered } from '../../src/inference/metered.ts';
import type { Pool } from '../../src/runtime/pool.ts';
import { createActivity } from '../telemetry/activity.ts';
import { createTelemetry, type Telemetry } from '../telemetry/telemetry.ts';
import { createExporter } from '../telemetry/tracing/exporter.ts';
import { createTracer } from '../telemetry/tracing/tracer.ts';

type Parts = { settings: Pick<Settings, 'otlpEndpoint' | 'otlpHeaders'>; clock: Clock; log: Log };

/** Always metrics, and traces if a collector is configured. */
export function composeTelemetry({ settings, clock, log }: Parts) {
  const { otlpEndpoint: endpoint } = settings;
  const headers = readHeaders(settings.otlpHeaders);
  const exporter = endpoint === '' ? undefined : createExporter({ endpoint, headers, log });
  const telemetry = createTelemetry({ clock, tracer: exporter && createTracer(exporter) });
  if (exporter) countSpans(telemetry.registry, exporter);
  return { telemetry, closeTelemetry: async () => exporter?.close() };
}

type Measured = { clock: Clock; metered: Metered; pool: Pool; telemetry: Telemetry };

/** The activity of the last hour, derived from existing counters. */
export function composeActivity({ clock, metered, pool, telemetry }: Measured) {
  return createActivity({
    clock,
    read: () => ({
      ...metered.totals(),
      tokensByModel: metered.tokensByModel(),
      firstTokens: telemetry.firstTokens(),
      memoryBytes: pool.status().reduce((sum, { bytes }) => sum + bytes, process.memoryUsage.rss()),
    }),
  });
}

function countSpans(
  { gauge }: ReturnType<typeof createTelemetry>['registry'],
  { counts }: ReturnType<typeof createExporter>,
) {
  gauge(
    'askd_trace_spans_total',
    'Spans for the collector: accepted, or dropped because it was slow or unreachable.',
    () => Object.entries(counts()).map(([state, count]) => [{ state }, count] as const),
    'counter',
  );
}

/** As OpenTelemetry writes them: name=value,name=value with percent-encoded values. */
function readHeaders(text: string): Record<string, string> {
  const pairs = text.split(',').filter((pair) => pair.trim() !== '');
  return Object.fromEntries(
    pairs.map((pair) => {
      const [name = '', ...value] = pair.split('=');
      const decoded = decodeValue(value.join('=').trim());
      if (!/^[\w-]+$/.test(name.trim()) || decoded === undefined) throw wrongHeaders();
      return [name.trim(), decoded];
    }),
  );
}

function decodeValue(value: string): string | undefined {
  try {
    const decoded = decodeURIComponent(value);
    return /^[\x20-\x7e]*$/.test(decoded) ? decoded : undefined;
  } catch {
    return undefined;
  }
}

function wrongHeaders(): Failure {
  return new Failure(
    'config_invalid',
    'otlp_headers must be written as name=value,name=value. Fix or remove it.',
  );
}
