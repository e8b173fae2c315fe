/** Every event that can be recorded, with the data that it carries: ids, models, counts; never prompts or secrets. */
export type EventTypes = {
  'chat.started': { request_id: string; model: string; stream: boolean };
  'chat.completed': {
    request_id: string;
    model: string;
    outcome: 'finished' | 'disconnected' | 'failed';
    finish_reason: string | null;
    usage: { prompt_tokens: number; completion_tokens: number; total_tokens: number };
    /** Credits. */
    cost: number;
  };
  'batch.completed': BatchEvent;
  'batch.failed': BatchEvent;
  'batch.expired': BatchEvent;
  'batch.cancelled': BatchEvent;
  'model.loaded': {
    artifact: string;
    device: string;
    fallback: string | null;
    context_tokens: number;
    slots: number;
    memory_bytes: number;
    load_ms: number;
  };
  'model.load_failed': { artifact: string; code: string; message: string };
  'model.unloaded': { artifact: string; reason: string };
  'api_key.created': { id: string; name: string; key_prefix: string; scopes: string[] };
  'api_key.deleted': { id: string; name: string; key_prefix: string };
  'subscription.updated': { tier: string; previous_tier: string };
  /**
   * Once for each kind in its period: a minute, a month, or the time until credits are added. For the budget of an
   * API key, once for each key.
   */
  'usage.limit_reached': { kind: LimitKind; period: string; key_id?: string };
  /** For one receiver, on request. */
  'webhook.test': { webhook_id: string; name: string };
};

type BatchEvent = {
  id: string;
  endpoint: string;
  model: string | null;
  request_counts: { total: number; completed: number; failed: number };
};

export type LimitKind =
  'rpm' | 'tpm' | 'monthly_tokens' | 'spending_limit' | 'credits' | 'key_credits' | 'key_tokens';

export type EventType = keyof EventTypes;
