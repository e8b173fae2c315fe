import type { Clock } from '../base/clock.ts';
import { Failure } from '../base/errors.ts';
import type { Events } from '../events/events.ts';
import type { Guard } from '../net/guard.ts';
import type { Outbound } from '../net/outbound.ts';
import type { Seal } from '../base/sealed.ts';
import type { Store } from '../store/store.ts';
import { createConnectivity } from './connectivity.ts';
import { createDeliveryLog } from './delivery-log.ts';
import type { EndpointRow } from './endpoint-row.ts';
import { createEndpoints } from './endpoints.ts';
import { createListeners } from './listeners.ts';
import { createManual } from './manual.ts';
import { createQueue, type Disabled } from './queue.ts';
import { createRetention } from './retention.ts';
import type { AttemptResult } from './retry.ts';
import { createSend, type SentEvent } from './send.ts';
import { createTroubledSend, type TroubleOf } from './troubled-send.ts';
import { createWorker } from './worker.ts';

export type Webhooks = ReturnType<typeof createWebhooks>;

export type WebhooksOptions = {
  store: Store;
  events: Events;
  seal: Seal;
  guard: Guard;
  outbound: Outbound;
  clock: Clock;
  wallClock?: Clock;
  waitsMs: readonly number[];
  /** Spreads the attempts, so that those of many deliveries do not coincide. */
  random?: () => number;
  /** What is simulated for an event. */
  troubleOf?: TroubleOf;
  onDisabled: (disabled: Disabled) => void;
  onBug: (error: unknown) => void;
};

/** Delivers events to webhook endpoints, at least once. */
export function createWebhooks(options: WebhooksOptions) {
  const { store, events, seal, guard, outbound, clock, onDisabled, onBug } = options;
  const queue = createQueue(options);
  const connectivity = createConnectivity();
  const wake = (): void => worker.wake();
  const endpoints = createEndpoints({
    store,
    seal,
    guard,
    clock,
    beforeChange: queue.catchUp,
    onChange: wake,
  });
  const listeners = createListeners({ store, seal, clock, onChange: wake });
  const sendEvent = createTroubledSend(
    createSend({ outbound, clock, wallClock: options.wallClock }),
    options.troubleOf ?? (() => undefined),
  );
  const send = toSend({ endpoints, listeners, clock, sendEvent });
  const worker = createWorker({ store, queue, clock, connectivity, send, onDisabled, onBug });
  const log = createDeliveryLog({ store });
  events.onRecord(worker.wakeForEvent);

  return {
    endpoints,
    listeners,
    worker,
    log,
    manual: createManual({ store, events, clock, endpoints, queue, send }),
    prune: createRetention({ store, clock, queue }),
    replay(endpoint: EndpointRow, sinceMs: number): number {
      queue.catchUp();
      const queued = queue.replay(endpoint.id, sinceMs);
      worker.wake(endpoint.id);
      return queued;
    },
    /** Since the daemon started. */
    attempts: (): Record<string, number> => queue.attemptsBy,
    status(accountId: string) {
      const all = endpoints.list(accountId);
      const reach: 'offline' | 'delivering' = connectivity.isOffline ? 'offline' : 'delivering';
      const state: 'off' | typeof reach = worker.isRunning() ? reach : 'off';
      const disabled = all.flatMap(({ id, name, disabled_reason: reason }) =>
        reason === null ? [] : [{ id, name, reason }],
      );
      return {
        state,
        enabled: all.filter(({ enabled }) => enabled).length,
        pending: log.countPending(),
        disabled,
      };
    },
  };
}

type Sending = {
  endpoints: Pick<ReturnType<typeof createEndpoints>, 'secretsOf'>;
  listeners: Pick<ReturnType<typeof createListeners>, 'portOf'>;
  clock: Clock;
  sendEvent: ReturnType<typeof createSend>;
};

function toSend({ endpoints, listeners, clock, sendEvent }: Sending) {
  return async (endpoint: EndpointRow, event: SentEvent, signal: AbortSignal): Promise<AttemptResult> => {
    const loopbackPort = listeners.portOf(endpoint);
    const secrets = readSecrets(() => endpoints.secretsOf(endpoint));
    if (secrets === undefined) return unreadable(clock.now());
    return sendEvent(
      { url: endpoint.url, secrets, ...(loopbackPort !== undefined && { loopbackPort }) },
      event,
      signal,
    );
  };
}

/** A secret that cannot be decrypted fails only its endpoint, visibly in its log, and not all deliveries. */
function readSecrets(read: () => string[]): string[] | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}

function unreadable(startedAt: number): AttemptResult {
  const nothing = { durationMs: 0, status: null, retryAfterMs: null, snippet: '' };
  return { startedAt, error: 'secret_unreadable', ...nothing };
}
