import { HOST, ORIGIN } from './allowed-clients.ts';
import { CHAT_MODERATION, type ChatModeration } from './chat-moderation.ts';
import { CACHE_TYPES, FLASH_ATTENTION, type CacheType, type FlashAttention } from './context-cache.ts';
import { DRAFTING, type Drafting } from './speculative.ts';
import type { HubSettings } from './hub-settings.ts';
import { memoryBudgetBytes } from './memory-budget.ts';
import { promptCacheBytes } from './prompt-cache.ts';
import { forCategories, MODERATION_CATEGORIES } from '../base/moderation-categories.ts';
import type { Paths } from '../base/paths.ts';
import {
  ADDRESS,
  PUBLIC_KEY,
  addressLike,
  asObject,
  asText,
  DURATION,
  listOf,
  NETWORK,
  oneOf,
  orAuto,
  SWITCH,
  TEXTS,
  wholeNumber,
  type Shape,
} from './setting-values.ts';

/** Every setting with its default. Precedence: flag, then environment, then config file, then this table. */
export const DEFAULTS = {
  host: '127.0.0.1',
  port: 11535,
  insecureHttp: false,
  /** PEM files of a certificate and its key: with both, the daemon serves HTTPS only. */
  tlsCert: '',
  tlsKey: '',
  /** Origins of web pages that may use the API, and other names under which the daemon may be reached. */
  allowedOrigins: [] as readonly string[],
  allowedHosts: [] as readonly string[],
  /** Ollama's API: without a key for programs on this machine. */
  ollamaApi: false,
  /** Another port for it on 127.0.0.1, such as 11434; 0 means none. */
  ollamaPort: 0,
  logLevel: 'info' as LogLevel,
  /** How long records of management actions are kept. */
  auditLogDays: 400,
  /** The OpenID provider at which members sign in to the console; empty means none. */
  oidcIssuer: '',
  oidcClientId: '',
  oidcClientSecret: '',
  /** Whether programs on this machine, of any user, may read /metrics without a key. */
  metricsLocal: false,
  /** URL of an OpenTelemetry collector that accepts OTLP over HTTP; if empty, no traces are sent. */
  otlpEndpoint: '',
  /** Headers for it, as in OTEL_EXPORTER_OTLP_HEADERS: name=value,name=value */
  otlpHeaders: '',
  /** Rejects parameters without effect, which are otherwise accepted and named. */
  strictParameters: false,
  drainTimeoutMs: 15_000,
  modelSlots: 4,
  /** Per slot; auto means the model's trained context, as far as memory allows. */
  modelContextTokens: 'auto' as number | 'auto',
  flashAttention: 'auto' as FlashAttention,
  kvCacheType: 'f16' as CacheType,
  /** Whether a text gets the same vector, bit for bit, alone and in a batch; otherwise batches may be faster. */
  exactVectors: true,
  /** Speculative decoding from the text of the conversation. */
  drafting: 'off' as Drafting,
  /** Their prefilled state is saved in files, so that no start has to prefill them again. */
  pinnedSystemPrompts: [] as readonly string[],
  modelQueueMax: 64,
  modelWaitMs: 120_000,
  keepAliveMs: 600_000,
  /** The cards for models without a placement: the best one, all, or those with these numbers or names. */
  defaultDevices: 'auto',
  /** Whether runners start without a sandbox if there is none. */
  sandbox: 'auto' as (typeof SANDBOX_MODES)[number],
  memoryBudgetBytes: memoryBudgetBytes(),
  /** The part of it for prompts that no longer have a slot; 0 keeps none. */
  promptCacheBytes: promptCacheBytes(),
  profile: 'personal' as Profile,
  refundFailed: false,
  /** Whether answers of /v1/responses are stored for later requests, and for how long. */
  responseStore: true,
  responseStoreTtlMs: 30 * 86_400_000,
  offline: false,
  starter: true,
  /** A YAML or JSON file with the answers of the model `scripted`; if empty, there is no such model. */
  scriptedAnswers: '',
  /** The score from which a text is flagged, per category. */
  moderationThresholds: forCategories(() => 0.5),
  chatModerate: 'off' as ChatModeration,
  /** Of an uploaded file, and the duration of its audio. */
  audioBytesMax: 100 * 1024 * 1024,
  audioSecondsMax: 4 * 3600,
  /** How much space all files of /v1/files together may take. */
  fileStoreBytes: 10 * 1024 ** 3,
  /** How long the URL of an image is valid, and how much space all images may take. */
  imageUrlTtlMs: 3_600_000,
  imageStoreBytes: 1024 ** 3,
  downloadConnections: 4,
  downloadPartBytes: 16 * 1024 * 1024,
  downloadStallMs: 30_000,
  downloadRetryMs: 500,
  /** Of one image in a message. */
  imageBytesMax: 10 * 1024 * 1024,
  imagePixelsMax: 50_000_000,
  /** Whether the daemon fetches images from public URLs in messages. */
  imageUrls: false,
  /** Where signed catalogues are published, and public keys that are trusted in addition to askd's own. */
  catalogUrl: '',
  catalogKeys: [] as readonly string[],
  /** The source of the optional engines. */
  npmRegistry: 'https://registry.npmjs.org',
  /** With a key, top-ups are paid through Stripe; without one, on the daemon's own page. */
  stripeSecretKey: '',
  stripeWebhookSecret: '',
  stripeApiBase: '',
  /** In credits, if credits cost money. */
  autoTopupMonthlyMax: 1000,
  /** With a URL such as smtps://user:password@mail.example, alerts are also sent by email. */
  smtpUrl: '',
  smtpFrom: '',
  /** Search providers of the agent. Each configured one is queried; without any, only local documents are used. */
  agentSearxngUrl: '',
  agentDuckduckgo: false,
  agentBraveKey: '',
  agentTavilyKey: '',
  /** Whether the agent may read web pages; auto means only when a web search is configured. */
  agentFetch: 'auto' as (typeof AGENT_FETCHES)[number],
  /** Origins on private networks that the agent may read, such as http://wiki.lan:8080 */
  agentAllowOrigins: [] as readonly string[],
  agentDeadlineMs: 120_000,
  /** The colors of `askd chat`, and how long an answer must take to end with a notification. */
  chatTheme: 'terminal' as (typeof CHAT_THEMES)[number],
  chatNotifyAfterMs: 15_000,
  chatImages: 'auto' as (typeof CHAT_IMAGES)[number],
  /** Private networks whose hosts may receive webhooks; the API cannot change this. */
  webhooksAllowCidrs: [] as readonly string[],
  /** A PEM file of certificates trusted for webhook receivers, in addition to the well-known ones. */
  webhooksCa: '',
  /** The waits between delivery attempts; there is one attempt more than there are waits. */
  webhooksRetryWaitsMs: [
    5_000,
    300_000,
    1_800_000,
    ...[2, 5, 10, 14, 20, 24].map((hours) => hours * 3_600_000),
  ],
};

const AGENT_FETCHES = ['auto', 'off', 'search-only', 'public'] as const;
export const CHAT_IMAGES = ['auto', 'kitty', 'iterm2', 'sixel', 'off'] as const;
export const CHAT_THEMES = ['terminal', 'dark', 'light', 'mono'] as const;
const SANDBOX_MODES = ['auto', 'required', 'off'] as const;
const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];
export const PROFILES = ['personal', 'hosted'] as const;
export type Profile = (typeof PROFILES)[number];
export type SettingName = keyof typeof DEFAULTS;
export type Settings = typeof DEFAULTS & {
  paths: Paths;
  hub: HubSettings;
  /** The settings that the user has set; the others are defaults, which may adapt to the machine. */
  chosen: ReadonlySet<SettingName>;
  /** What they were read from, besides the file. */
  given: { env: NodeJS.ProcessEnv; home: string | undefined; flags: SettingFlags };
};
export type SettingFlags = Partial<typeof DEFAULTS>;

export type Rule = Shape & {
  file: string;
  /** Its value contains a password, which no message may show. */
  isSecret?: true;
  /** Another environment variable, standard in its field, that is read if ASKD_… is not set. */
  variable?: string;
};

export const RULES: Record<keyof typeof DEFAULTS, Rule> = {
  host: { file: 'host', parse: asText },
  port: { file: 'port', ...wholeNumber(0, 65_535) },
  insecureHttp: { file: 'insecure_http', ...SWITCH },
  tlsCert: { file: 'tls_cert', parse: asText },
  tlsKey: { file: 'tls_key', parse: asText },
  allowedOrigins: { file: 'allowed_origins', ...listOf(ORIGIN) },
  allowedHosts: { file: 'allowed_hosts', ...listOf(HOST) },
  ollamaApi: { file: 'ollama_api', ...SWITCH },
  ollamaPort: { file: 'ollama_port', ...wholeNumber(0, 65_535) },
  logLevel: { file: 'log_level', ...oneOf(LOG_LEVELS) },
  strictParameters: { file: 'strict_parameters', ...SWITCH },
  drainTimeoutMs: { file: 'drain_timeout_ms', ...wholeNumber(0, 600_000) },
  modelSlots: { file: 'model_slots', ...wholeNumber(1, 64) },
  modelContextTokens: { file: 'model_context_tokens', ...orAuto(wholeNumber(64, 1_048_576)) },
  flashAttention: { file: 'flash_attention', ...oneOf(FLASH_ATTENTION) },
  kvCacheType: { file: 'kv_cache_type', ...oneOf(CACHE_TYPES) },
  exactVectors: { file: 'exact_vectors', ...SWITCH },
  drafting: { file: 'drafting', ...oneOf(DRAFTING) },
  pinnedSystemPrompts: { file: 'pinned_system_prompts', ...TEXTS },
  modelQueueMax: { file: 'model_queue_max', ...wholeNumber(0, 10_000) },
  modelWaitMs: { file: 'model_wait_ms', ...wholeNumber(1, 3_600_000) },
  auditLogDays: { file: 'audit_log_days', ...wholeNumber(1, 36_500) },
  oidcIssuer: { file: 'oidc_issuer', ...ADDRESS },
  oidcClientId: { file: 'oidc_client_id', parse: asText },
  oidcClientSecret: { file: 'oidc_client_secret', parse: asText, isSecret: true },
  metricsLocal: { file: 'metrics_local', ...SWITCH },
  otlpEndpoint: { file: 'otlp_endpoint', ...ADDRESS, variable: 'OTEL_EXPORTER_OTLP_ENDPOINT' },
  otlpHeaders: {
    file: 'otlp_headers',
    parse: asText,
    isSecret: true,
    variable: 'OTEL_EXPORTER_OTLP_HEADERS',
  },
  keepAliveMs: { file: 'keep_alive', ...DURATION },
  defaultDevices: { file: 'default_devices', parse: asText },
  sandbox: { file: 'sandbox', ...oneOf(SANDBOX_MODES) },
  memoryBudgetBytes: { file: 'memory_budget_bytes', ...wholeNumber(0) },
  promptCacheBytes: { file: 'prompt_cache_bytes', ...wholeNumber(0) },
  profile: { file: 'profile', ...oneOf(PROFILES) },
  refundFailed: { file: 'refund_failed', ...SWITCH },
  responseStore: { file: 'response_store', ...SWITCH },
  responseStoreTtlMs: { file: 'response_store_ttl', ...DURATION },
  offline: { file: 'offline', ...SWITCH },
  starter: { file: 'starter', ...SWITCH },
  scriptedAnswers: { file: 'scripted_answers', parse: asText },
  chatModerate: { file: 'chat_moderate', ...oneOf(CHAT_MODERATION) },
  moderationThresholds: {
    file: 'moderation_thresholds',
    parse: asThresholds,
    expects: 'numbers from 0 to 1 by category, such as {"hate":0.4}',
  },
  audioBytesMax: { file: 'audio_bytes_max', ...wholeNumber(1024, 2 ** 40) },
  fileStoreBytes: { file: 'file_store_bytes', ...wholeNumber(1024, 2 ** 50) },
  audioSecondsMax: { file: 'audio_seconds_max', ...wholeNumber(1, 86_400) },
  imageUrlTtlMs: { file: 'image_url_ttl', ...DURATION },
  imageStoreBytes: { file: 'image_store_bytes', ...wholeNumber(0) },
  downloadConnections: { file: 'download_connections', ...wholeNumber(1, 32) },
  downloadPartBytes: { file: 'download_part_bytes', ...wholeNumber(4096, 2 ** 31) },
  downloadStallMs: { file: 'download_stall_ms', ...wholeNumber(100, 600_000) },
  downloadRetryMs: { file: 'download_retry_ms', ...wholeNumber(1, 60_000) },
  imageBytesMax: { file: 'image_bytes_max', ...wholeNumber(1, 100 * 1024 * 1024) },
  imagePixelsMax: { file: 'image_pixels_max', ...wholeNumber(1, 2 ** 28) },
  imageUrls: { file: 'image_urls', ...SWITCH },
  catalogUrl: { file: 'catalog_url', ...ADDRESS },
  catalogKeys: { file: 'catalog_keys', ...listOf(PUBLIC_KEY) },
  npmRegistry: { file: 'npm_registry', ...ADDRESS },
  stripeSecretKey: { file: 'stripe_secret_key', parse: asText, isSecret: true },
  stripeWebhookSecret: { file: 'stripe_webhook_secret', parse: asText, isSecret: true },
  stripeApiBase: { file: 'stripe_api_base', ...ADDRESS },
  autoTopupMonthlyMax: { file: 'auto_topup_monthly_max', ...wholeNumber(0, 1_000_000) },
  smtpUrl: { file: 'smtp_url', ...addressLike('smtps://user:password@mail.example'), isSecret: true },
  smtpFrom: { file: 'smtp_from', parse: asText },
  agentSearxngUrl: { file: 'agent_searxng_url', ...ADDRESS },
  agentDuckduckgo: { file: 'agent_duckduckgo', ...SWITCH },
  agentBraveKey: { file: 'agent_brave_key', parse: asText, isSecret: true },
  agentTavilyKey: { file: 'agent_tavily_key', parse: asText, isSecret: true },
  agentFetch: { file: 'agent_fetch', ...oneOf(AGENT_FETCHES) },
  agentAllowOrigins: { file: 'agent_allow_origins', ...listOf(ADDRESS) },
  agentDeadlineMs: { file: 'agent_deadline_ms', ...wholeNumber(1000, 3_600_000) },
  chatTheme: { file: 'chat_theme', ...oneOf(CHAT_THEMES) },
  chatImages: { file: 'chat_images', ...oneOf(CHAT_IMAGES) },
  chatNotifyAfterMs: { file: 'chat_notify_after', ...DURATION },
  webhooksAllowCidrs: { file: 'webhooks_allow_cidrs', ...listOf(NETWORK) },
  webhooksCa: { file: 'webhooks_ca', parse: asText },
  webhooksRetryWaitsMs: { file: 'webhooks_retry_waits_ms', ...listOf(wholeNumber(0, 604_800_000)) },
};

/** A number from 0 to 1 for some categories; the others keep their defaults. JSON in the environment. */
function asThresholds(value: unknown): typeof DEFAULTS.moderationThresholds | undefined {
  const given = typeof value === 'string' ? asObject(value) : value;
  if (typeof given !== 'object' || given === null) return undefined;
  const isUsable = ([category, threshold]: [string, unknown]) =>
    MODERATION_CATEGORIES.some((known) => known === category) &&
    typeof threshold === 'number' &&
    threshold >= 0 &&
    threshold <= 1;
  if (!Object.entries(given).every(isUsable)) return undefined;
  return { ...DEFAULTS.moderationThresholds, ...given };
}
