import { formatBytes, formatDuration, formatMoney } from '../../output/format.ts';
import { renderTable, type Column } from '../../output/table.ts';
import type { Activity } from './activity.ts';

type Screen = { width: number; header: (text: string) => string };
type Draw = { spark: (values: readonly number[], width: number) => string; screen: Screen };

const LABEL_WIDTH = 18;
const VALUE_WIDTH = 24;
const SPARK_WIDTH_MAX = 60;

/** One screen, oldest activity first. */
export function topText(history: readonly Activity[], { spark, screen }: Draw): string {
  const now = history.at(-1);
  if (!now) return '';
  const room = Math.min(SPARK_WIDTH_MAX, Math.max(0, screen.width - LABEL_WIDTH - VALUE_WIDTH - 1));
  const row = (label: string, value: string, valueOf?: (activity: Activity) => number | null) => {
    const graph =
      valueOf && room >= 8
        ? spark(
            history.map((each) => valueOf(each) ?? 0),
            room,
          )
        : '';
    return `${label.padEnd(LABEL_WIDTH)}${value.padEnd(VALUE_WIDTH)}${graph}`.trimEnd();
  };
  const title = `askd ${now.version}  up ${formatDuration(now.uptime_seconds * 1000)}`;
  return [
    screen.header(title),
    '',
    row('requests', perSecond(now.requests_per_second), (each) => each.requests_per_second),
    row('failures', perSecond(now.failures_per_second), (each) => each.failures_per_second),
    row('prompt tokens', perSecond(now.prompt_tokens_per_second), (each) => each.prompt_tokens_per_second),
    row(
      'generated tokens',
      perSecond(now.generated_tokens_per_second),
      (each) => each.generated_tokens_per_second,
    ),
    row('first token', pair(now.time_to_first_token_seconds), (each) => each.time_to_first_token_seconds.p50),
    row(
      'each token',
      pair(now.time_per_output_token_seconds),
      (each) => each.time_per_output_token_seconds.p50,
    ),
    row('wait for a slot', pair(now.queue_seconds), (each) => each.queue_seconds.p50),
    row(
      'running, waiting',
      `${now.requests_running}, ${now.requests_waiting}`,
      (each) => each.requests_running + each.requests_waiting,
    ),
    row('prompt cache', percent(now.prompt_cache_hit_rate), (each) => each.prompt_cache_hit_rate),
    row('processor', cores(now.processor_cores), (each) => each.processor_cores),
    row('event loop lag', seconds(now.event_loop_lag_seconds), (each) => each.event_loop_lag_seconds),
    row('daemon memory', formatBytes(now.memory_bytes), (each) => each.memory_bytes),
    row('credits', `${formatMoney(now.credits.balance)}, ${formatMoney(now.credits.held)} held`),
    row(
      'webhooks pending',
      String(now.webhook_deliveries_pending),
      (each) => each.webhook_deliveries_pending,
    ),
    row('limits, crashes', `${now.rate_limit_refusals} refused, ${now.runner_crashes} crashed`),
    '',
    ...modelLines(now, screen),
  ].join('\n');
}

function modelLines({ models }: Activity, screen: Screen): string[] {
  if (models.length === 0) return ['No model is loaded.'];
  const columns: Column<Activity['models'][number]>[] = [
    { title: 'MODEL', value: ({ model }) => model, shrinks: 'middle' },
    { title: 'MEMORY', value: ({ memory_bytes: bytes }) => formatBytes(bytes), align: 'right' },
    { title: 'SLOTS', value: ({ running, slots }) => `${running}/${slots}`, align: 'right' },
    { title: 'WAITING', value: ({ waiting }) => String(waiting), align: 'right' },
    { title: 'REQUESTS', value: ({ requests }) => String(requests), align: 'right' },
    { title: 'GENERATED', value: ({ generated_tokens: tokens }) => String(tokens), align: 'right' },
  ];
  return renderTable(models, columns, screen).split('\n');
}

function perSecond(rate: number | null): string {
  return rate === null ? '-' : `${rate >= 100 ? Math.round(rate) : rate.toFixed(1)} /s`;
}

function pair({ p50, p95 }: { p50: number | null; p95: number | null }): string {
  return p50 === null || p95 === null ? '-' : `${seconds(p50)}, p95 ${seconds(p95)}`;
}

function seconds(value: number): string {
  return value < 1 ? `${(value * 1000).toFixed(value < 0.01 ? 1 : 0)} ms` : `${value.toFixed(1)} s`;
}

function cores(rate: number | null): string {
  return rate === null ? '-' : `${Math.round(rate * 100)} % of a core`;
}

function percent(share: number | null): string {
  return share === null ? '-' : `${Math.round(share * 100)} %`;
}
