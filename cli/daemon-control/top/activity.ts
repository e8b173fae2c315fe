import { quantileBetween, sumOf, type Scrape } from './scrape.ts';

export type Sample = { atMs: number; scrape: Scrape };
export type Activity = ReturnType<typeof activityOf>;

/**
 * What happened between two samples. Percentiles cover the preceding window, since one second has few requests.
 * Without an earlier sample they cover the time since the daemon started, and there are no rates.
 */
export function activityOf(now: Sample, before: Sample | undefined, windowStart: Sample | undefined) {
  const { scrape } = now;
  const seconds = before ? Math.max(0.001, (now.atMs - before.atMs) / 1000) : 0;
  const rate = (name: string): number | null =>
    before ? round(Math.max(0, sumOf(scrape, name) - sumOf(before.scrape, name)) / seconds) : null;
  const quantile = (name: string, share: number): number | null => {
    const value = quantileBetween(windowStart?.scrape, scrape, name, share);
    return value === undefined ? null : round(value);
  };
  const [queries, hits] = ['queries', 'hits'].map((what) => sumOf(scrape, `askd_prefix_cache_${what}_total`));
  return {
    version: scrape.get('askd_build_info')?.[0]?.labels['version'] ?? '',
    uptime_seconds: round(sumOf(scrape, 'askd_process_uptime_seconds')),
    requests_per_second: rate('askd_http_requests_total'),
    failures_per_second: rate('askd_request_failures_total'),
    prompt_tokens_per_second: rate('askd_prompt_tokens_total'),
    generated_tokens_per_second: rate('askd_generation_tokens_total'),
    time_to_first_token_seconds: quantiles(quantile, 'askd_time_to_first_token_seconds'),
    time_per_output_token_seconds: quantiles(quantile, 'askd_time_per_output_token_seconds'),
    queue_seconds: quantiles(quantile, 'askd_request_queue_time_seconds'),
    prompt_cache_hit_rate: queries ? round((hits ?? 0) / queries) : null,
    requests_running: sumOf(scrape, 'askd_num_requests_running'),
    requests_waiting: sumOf(scrape, 'askd_num_requests_waiting'),
    models: modelsOf(scrape),
    credits: { balance: sumOf(scrape, 'askd_credits_balance'), held: sumOf(scrape, 'askd_credits_held') },
    webhook_deliveries_pending: sumOf(scrape, 'askd_webhook_deliveries_pending'),
    rate_limit_refusals: sumOf(scrape, 'askd_rate_limit_refusals_total'),
    runner_crashes: sumOf(scrape, 'askd_model_unloads_total', { reason: 'crashed' }),
    event_loop_lag_seconds: sumOf(scrape, 'askd_event_loop_lag_seconds', { quantile: '0.99' }),
    memory_bytes: sumOf(scrape, 'askd_process_resident_memory_bytes'),
    processor_cores: rate('askd_process_cpu_seconds_total'),
  };
}

function quantiles(quantile: (name: string, share: number) => number | null, name: string) {
  return { p50: quantile(name, 0.5), p95: quantile(name, 0.95) };
}

function modelsOf(scrape: Scrape) {
  return (scrape.get('askd_slots') ?? []).map(({ labels, value: slots }) => {
    const { model = '' } = labels;
    const of = (name: string) => sumOf(scrape, name, { model });
    return {
      model,
      memory_bytes: of('askd_model_memory_bytes'),
      running: of('askd_num_requests_running'),
      waiting: of('askd_num_requests_waiting'),
      slots,
      requests: of('askd_requests_total'),
      generated_tokens: of('askd_generation_tokens_total'),
    };
  });
}

function round(value: number): number {
  return Number(value.toPrecision(4));
}
