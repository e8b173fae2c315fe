/** Parameters for a hosted provider: storage, caching, routing, billing and abuse detection. */
export const PROVIDER_PARAMETERS = [
  'client_metadata',
  'metadata',
  'prompt_cache_key',
  'prompt_cache_options',
  'prompt_cache_retention',
  'safety_identifier',
  'service_tier',
  'store',
  'user',
];
