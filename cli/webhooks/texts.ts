import type { Webhook, WebhookAttempt, WebhookDeliveryDetail } from '../../src/api/account/webhooks.ts';
import { formatSince, orDash } from '../output/format.ts';
import { renderFields } from '../output/table.ts';

const REASONS = { gone: 'its receiver answered 410', failing: 'it failed for five days' };

export function stateOf({ enabled, disabled_reason: reason, failures }: Webhook): string {
  if (reason !== null) return `disabled: ${REASONS[reason]}`;
  if (!enabled) return 'paused';
  return failures > 0 ? `failing (${failures})` : 'active';
}

export function webhookText(webhook: Webhook): string {
  const now = Date.now();
  return renderFields([
    ['id', webhook.id],
    ['name', webhook.name],
    ['url', webhook.url],
    ['events', webhook.events.join(', ')],
    ['state', stateOf(webhook)],
    ['last success', formatSince(webhook.last_success_at, now)],
    ['failing since', orDash(webhook.failing_since)],
    ['created', webhook.created_at],
    ['updated', webhook.updated_at],
  ]);
}

export function deliveryText(delivery: WebhookDeliveryDetail): string {
  const fields = renderFields([
    ['event', delivery.event_id],
    ['type', delivery.type],
    ['recorded', delivery.timestamp],
    ['state', delivery.state],
    ['next attempt', orDash(delivery.next_attempt_at)],
    ['data', JSON.stringify(delivery.data)],
  ]);
  return [fields, ...delivery.attempts.map((attempt) => `\n${attemptText(attempt)}`)].join('\n');
}

function attemptText({
  cause,
  started_at: at,
  duration_ms: ms,
  status,
  error,
  snippet,
}: WebhookAttempt): string {
  return renderFields([
    ['attempt', `${at} (${cause}), ${ms} ms`],
    ['answer', status === null ? orDash(error) : String(status)],
    ...(snippet === '' ? [] : [['text', snippet] as const]),
  ]);
}

/** The outcome of a manual attempt. */
export function outcomeOf({ attempts }: WebhookDeliveryDetail): { arrived: boolean; text: string } {
  const last = attempts.at(-1);
  const status = last?.status ?? null;
  const arrived = status !== null && status >= 200 && status < 300;
  const answer = status === null ? (last?.error ?? 'nothing') : `status ${status}`;
  return { arrived, text: `${answer} after ${last?.duration_ms ?? 0} ms` };
}
