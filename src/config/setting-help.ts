import type { SettingName } from './settings.ts';

/** What each setting does, in one line, by topic. */
export const SETTING_HELP: readonly { topic: string; settings: Partial<Record<SettingName, string>> }[] = [
  {
    topic: 'Server',
    settings: {
      host: 'Address that the daemon listens on. Anything but loopback needs TLS.',
      port: 'Port that the daemon listens on.',
      insecureHttp: 'Allows plain HTTP on addresses other than loopback.',
      tlsCert: 'PEM file of a certificate; with `tls_key` the daemon speaks HTTPS only.',
      tlsKey: 'PEM file of the private key.',
      allowedOrigins: 'Web pages of other origins that may use the API with a key.',
      allowedHosts: 'Other host names by which the daemon may be reached.',
      ollamaApi: "Serves Ollama's API, without a key for programs of this machine.",
      ollamaPort: "Another port for Ollama's clients, such as 11434; 0 for none.",
      strictParameters: 'Rejects parameters that have no effect instead of naming them in `x-askd-ignored`.',
      drainTimeoutMs: 'How long a stopping daemon waits for running requests.',
      logLevel: 'What is logged.',
      auditLogDays: 'How many days the audit log of management actions is kept.',
      oidcIssuer: 'URL of the OpenID provider through which members sign in to the console; empty for none.',
      oidcClientId: 'Client ID that the OpenID provider gave to this server.',
      oidcClientSecret: 'Client secret that belongs to it; a public client has none.',
      metricsLocal: 'Lets every program of this machine read `/metrics` without a key.',
      otlpEndpoint: 'OpenTelemetry collector for traces, such as http://127.0.0.1:4318; empty sends none.',
      otlpHeaders: 'Headers for the collector: `name=value,name=value`.',
      profile: '`personal` limits nothing; `hosted` has tiers, rate limits and paid credits.',
    },
  },
  {
    topic: 'Models',
    settings: {
      modelSlots: 'Requests that a model serves at the same time.',
      modelContextTokens: 'Context of each slot; `auto` is what the model was trained for, if it fits.',
      memoryBudgetBytes: 'Memory for all models together.',
      defaultDevices:
        'Graphics cards for models without a placement: `auto` for the best one, `all`, or numbers or names.',
      promptCacheBytes:
        'Part of `memory_budget_bytes` for conversations that lost their slot, so that they continue at once; 0 turns it off.',
      keepAliveMs: 'How long an unused model stays in memory.',
      modelQueueMax: 'Requests that may wait for a model.',
      modelWaitMs: 'How long a request waits for its model to load.',
      sandbox: 'Runs models in a sandbox: `auto` if there is one, `required` always, `off` never.',
      flashAttention: 'Flash attention of the llama engine.',
      kvCacheType: 'Precision of the KV cache: fewer bits take less memory and are less precise.',
      exactVectors:
        'The same vector, bit for bit, alone and in a batch; `false` is faster after `askd engines build`.',
      drafting: 'Speculative decoding from the text so far; answers stay the same.',
      pinnedSystemPrompts:
        'System prompts whose state is saved, so that a restart need not prefill them again.',
      starter: 'Whether the models that ship with askd serve services that nothing else serves.',
      scriptedAnswers:
        'Absolute path of a YAML or JSON file of answers for tests, given by the model `scripted`.',
    },
  },
  {
    topic: 'Downloads',
    settings: {
      offline: 'Never uses the network for models.',
      downloadConnections: 'Connections per download.',
      downloadPartBytes: 'Size of the parts that each connection fetches.',
      downloadStallMs: 'A connection without data for this long is retried.',
      downloadRetryMs: 'First wait before a retry; it doubles.',
      catalogUrl: 'Address of the signed catalogue; empty means that of the release of this askd.',
      catalogKeys: 'Public keys whose catalogues are trusted in addition to those of askd.',
      npmRegistry: 'npm registry for optional engines.',
    },
  },
  {
    topic: 'Requests',
    settings: {
      responseStore: 'Whether /v1/responses are stored, so that later requests can refer to them.',
      responseStoreTtlMs: 'How long responses are stored.',
      refundFailed: 'Whether an answer that fails midway is refunded.',
      moderationThresholds: 'Score from which a text is flagged, by category.',
      chatModerate: 'Which side of a chat is moderated.',
      imageUrls: 'Whether the daemon fetches images from public URLs in messages.',
      imageBytesMax: 'Size of an image in a message.',
      imagePixelsMax: 'Pixels of an image in a message.',
      audioBytesMax: 'Size of an uploaded file.',
      audioSecondsMax: 'Duration of an uploaded audio file.',
      imageUrlTtlMs: 'How long the address of a generated image is valid.',
      fileStoreBytes: 'Disk space for the files of /v1/files.',
      imageStoreBytes: 'Disk space for generated images.',
    },
  },
  {
    topic: 'Agent',
    settings: {
      agentSearxngUrl: 'Your SearXNG, with `json` in its `search.formats`.',
      agentBraveKey: 'Key for Brave Search.',
      agentTavilyKey: 'Key for Tavily.',
      agentDuckduckgo: 'Whether DuckDuckGo is searched.',
      agentFetch: 'Whether the agent reads pages; `auto` means if a web search is configured.',
      agentAllowOrigins: 'Origins on private networks that the agent may read.',
      agentDeadlineMs: 'How long a run may take.',
    },
  },
  {
    topic: 'Chat in the terminal',
    settings: {
      chatTheme: 'Colors of answers: those of the terminal, for a dark or light background, or none.',
      chatImages: 'Protocol in which images are shown; `auto` asks the terminal.',
      chatNotifyAfterMs:
        'An answer that takes longer ends with a notification and the bell; `forever` for never.',
    },
  },
  {
    topic: 'Payments and mail',
    settings: {
      stripeSecretKey: 'With it, top-ups are paid through Stripe.',
      stripeWebhookSecret: "Secret of Stripe's webhook.",
      stripeApiBase: "Another address of Stripe's API, for tests.",
      autoTopupMonthlyMax: 'Credits that automatic top-ups may buy in a month.',
      smtpUrl: 'Mail server for alerts.',
      smtpFrom: 'Sender of alerts.',
    },
  },
  {
    topic: 'Webhooks',
    settings: {
      webhooksAllowCidrs: 'Private networks whose hosts may receive webhooks.',
      webhooksCa: 'PEM file of additional certificate authorities for receivers.',
      webhooksRetryWaitsMs: 'Waits between delivery attempts.',
    },
  },
];
