import { createRegistry, type Registry } from './registry.ts';

/** In seconds, the same buckets as vLLM for the same metrics. */
const REQUEST_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 40, 80, 160, 320];
const TOKEN_SECONDS = [0.005, 0.01, 0.02, 0.03, 0.04, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 1, 2.5];
const BY_MODEL = { buckets: REQUEST_SECONDS, labels: ['model'] as const };

/** Everything that is counted as it happens. Values that can be read at any time are in gauges.ts. */
export function createMetrics() {
  const registry = createRegistry();
  return {
    registry,
    ...httpMetrics(registry),
    ...usageMetrics(registry),
    ...chatMetrics(registry),
    ...modelMetrics(registry),
  };
}

function httpMetrics({ counter, histogram }: Registry) {
  return {
    httpRequests: counter('askd_http_requests_total', 'Answered HTTP requests.', [
      'route',
      'method',
      'model',
      'status',
    ]),
    httpSeconds: histogram('askd_http_request_duration_seconds', 'From a request to the end of its answer.', {
      buckets: REQUEST_SECONDS,
      labels: ['route', 'method'],
    }),
    failures: counter('askd_request_failures_total', 'Requests answered with an error, by its code.', [
      'route',
      'code',
    ]),
    rateLimited: counter('askd_rate_limit_refusals_total', 'Requests refused by a limit, by error code.', [
      'code',
    ]),
  };
}

function usageMetrics({ counter, histogram }: Registry) {
  return {
    requests: counter('askd_requests_total', 'Requests that a model served, by how they ended.', [
      'model',
      'task',
      'outcome',
      'finish_reason',
    ]),
    requestSeconds: histogram('askd_e2e_request_latency_seconds', 'From admission to the end of the work.', {
      buckets: REQUEST_SECONDS,
      labels: ['model', 'task'],
    }),
    promptTokens: counter('askd_prompt_tokens_total', 'Prompt tokens, cached ones included.', [
      'model',
      'task',
    ]),
    generationTokens: counter('askd_generation_tokens_total', 'Generated tokens.', ['model', 'task']),
    creditsCharged: counter('askd_credits_charged_total', 'Credits charged for requests.', ['model', 'task']),
  };
}

function chatMetrics({ counter, histogram }: Registry) {
  return {
    cacheQueries: counter('askd_prefix_cache_queries_total', 'Prompt tokens of chats.', ['model']),
    cacheHits: counter(
      'askd_prefix_cache_hits_total',
      'Prompt tokens of chats that were in the prefix cache.',
      ['model'],
    ),
    timeToFirstToken: histogram(
      'askd_time_to_first_token_seconds',
      'From a request to the first token of its answer.',
      BY_MODEL,
    ),
    timePerOutputToken: histogram(
      'askd_time_per_output_token_seconds',
      'Between two tokens of an answer, on average.',
      { buckets: TOKEN_SECONDS, labels: ['model'] },
    ),
    queueSeconds: histogram('askd_request_queue_time_seconds', 'Waiting for a slot of the model.', BY_MODEL),
    prefillSeconds: histogram(
      'askd_request_prefill_time_seconds',
      'From the slot to the first token.',
      BY_MODEL,
    ),
    decodeSeconds: histogram(
      'askd_request_decode_time_seconds',
      'From the first token to the last.',
      BY_MODEL,
    ),
  };
}

function modelMetrics({ counter, histogram }: Registry) {
  return {
    loads: counter('askd_model_loads_total', 'Models loaded into memory.', ['model']),
    loadSeconds: histogram('askd_model_load_seconds', 'Loading a model into memory.', BY_MODEL),
    loadFailures: counter('askd_model_load_failures_total', 'Models that could not be loaded.', [
      'model',
      'code',
    ]),
    unloads: counter('askd_model_unloads_total', 'Models that left memory, by reason.', ['model', 'reason']),
    evictions: counter('askd_model_evictions_total', 'Models that made room for another.', ['model']),
    fallbacks: counter('askd_model_fallbacks_total', 'Requests that a fallback served, by the reason.', [
      'model',
      'fallback',
      'code',
    ]),
    restarts: counter('askd_runner_restarts_total', 'Runners started again after a crash.', ['model']),
  };
}
