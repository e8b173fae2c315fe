import type { Webhook } from '../../../../../src/api/account/webhooks.ts';

export type Health = { text: string; tone: '' | 'good' | 'warn' | 'bad'; why?: string };

const REASONS = {
  gone: 'Its receiver answered 410 Gone. Resume it when the receiver is back.',
  failing:
    'Every attempt failed for five days. Repair the receiver, resume the webhook, and replay what it missed.',
};

export function healthOf({ enabled, disabled_reason: reason, failures, last_success_at }: Webhook): Health {
  if (reason !== null) return { text: 'disabled', tone: 'bad', why: REASONS[reason] };
  if (!enabled) return { text: 'paused', tone: 'warn', why: 'Events wait for a day, then they expire.' };
  if (failures > 0) return { text: `failing, ${failures} in a row`, tone: 'bad' };
  return last_success_at === null ? { text: 'not used yet', tone: '' } : { text: 'healthy', tone: 'good' };
}

/** Of the states of a delivery. */
export const TONES = { pending: 'warn', delivered: 'good', failed: 'bad', expired: 'bad' };
