import type { Clock } from '../base/clock.ts';
import { newId } from '../base/ids.ts';
import type { Seal } from '../base/sealed.ts';
import type { Store } from '../store/store.ts';
import { newWebhookSecret } from '../base/webhook-signature.ts';
import type { EndpointRow } from './endpoint-row.ts';
import { FORGET } from './endpoints.ts';

export type Listeners = ReturnType<typeof createListeners>;

/**
 * Receivers on this machine's loopback, each for as long as its client's connection to this daemon is open. They have
 * rows so that they are served like all others, but the permission itself is only ever in memory.
 */
export function createListeners({
  store,
  seal,
  clock,
  onChange,
}: {
  store: Store;
  seal: Seal;
  clock: Clock;
  onChange: () => void;
}) {
  const open = new Map<string, number>();
  forgetAll();

  function forgetAll(): void {
    store
      .prepare(`${FORGET} WHERE listener_port IS NOT NULL AND deleted_at IS NULL`)
      .run({ now: clock.now() });
  }

  /** Stable for this home, so that a program can be configured with it once. */
  function secret(): string {
    return newWebhookSecret(seal.derive('webhook listeners', 32));
  }

  function listen(accountId: string, { port, events }: { port: number; events: readonly string[] }) {
    const now = clock.now();
    const id = newId('wh', now);
    store.prepare(INSERT).run({
      id,
      accountId,
      url: `http://127.0.0.1:${port}/`,
      events: JSON.stringify(events),
      secret: seal.seal(secret(), id),
      port,
      now,
    });
    open.set(id, port);
    const close = (): void => {
      if (!open.delete(id)) return;
      store.prepare(`${FORGET} WHERE id = @id`).run({ id, now: clock.now() });
      onChange();
    };
    return { id, close };
  }

  return {
    secret,
    listen,
    /** The port that is currently open for this endpoint. */
    portOf: ({ id }: Pick<EndpointRow, 'id'>): number | undefined => open.get(id),
  };
}

const INSERT = `
  INSERT INTO webhook_endpoints(id, account_id, name, url, events, secret, listener_port, events_after, created_at,
    updated_at)
  VALUES(@id, @accountId, 'askd webhooks listen', @url, @events, @secret, @port,
    (SELECT coalesce(max(sequence), 0) FROM events), @now, @now)`;
