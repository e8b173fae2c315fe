import { setTimeout as sleep } from 'node:timers/promises';
import { anySignal } from '../base/any-signal.ts';
import { newWebhookSecret } from '../base/webhook-signature.ts';
import type { AttemptResult } from './retry.ts';
import type { Receiver, Send, SentEvent } from './send.ts';

export type DeliveryTrouble = 'late' | 'twice' | 'out-of-order' | 'wrong-signature' | 'old-timestamp';

/** What is simulated for the event, if anything. */
export type TroubleOf = (event: SentEvent) => DeliveryTrouble | undefined;

const LATE_MS = 5_000;
/** A receiver accepts five minutes. */
const OLD_SECONDS = 3_600;
/** The first event of a request waits for the last one, but not forever. */
const SWAP_MS_MAX = 30_000;
const LAST = 'chat.completed';

/** Sends events as a faulty network or an attacker might, if that is simulated. */
export function createTroubledSend(send: Send, troubleOf: TroubleOf): Send {
  const swapped = new Map<string, () => void>();

  async function afterLast(event: SentEvent, signal: AbortSignal): Promise<void> {
    const arrived = new AbortController();
    swapped.set(requestOf(event), () => arrived.abort());
    await sleep(SWAP_MS_MAX, undefined, { signal: anySignal(signal, arrived.signal) }).catch(() => undefined);
    signal.throwIfAborted();
  }

  async function inOtherOrder(
    receiver: Receiver,
    event: SentEvent,
    signal: AbortSignal,
  ): Promise<AttemptResult> {
    if (event.type !== LAST) await afterLast(event, signal);
    const result = await send(receiver, event, signal);
    if (event.type === LAST) swapped.get(requestOf(event))?.();
    return result;
  }

  return async (receiver, event, signal) => {
    switch (troubleOf(event)) {
      case 'late':
        await sleep(LATE_MS, undefined, { signal });
        return send(receiver, event, signal);
      case 'twice':
        await send(receiver, event, signal);
        return send(receiver, event, signal);
      case 'out-of-order':
        return inOtherOrder(receiver, event, signal);
      case 'wrong-signature':
        return send({ ...receiver, secrets: [newWebhookSecret()] }, event, signal);
      case 'old-timestamp':
        return send({ ...receiver, ageSeconds: OLD_SECONDS }, event, signal);
      case undefined:
        return send(receiver, event, signal);
    }
  };
}

export function requestOf({ data }: SentEvent): string {
  const { request_id: id } = JSON.parse(data) as { request_id?: unknown };
  return typeof id === 'string' ? id : '';
}
