import type { Clock } from '../base/clock.ts';
import { newId } from '../base/ids.ts';
import type { Store } from '../store/store.ts';

const MINUTE_MS = 60_000;
/** Waits between attempts; after the last one the mail is dropped. */
const WAITS_MS = [MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 120 * MINUTE_MS, 480 * MINUTE_MS];
const LOOK_EVERY_MS = 15_000;
const BATCH_MAX = 10;
const KEPT_MS = 30 * 24 * 60 * MINUTE_MS;

export type Mail = { to: string; subject: string; body: string };
export type SendMail = (mail: Mail) => Promise<void>;
export type Mails = ReturnType<typeof createMails>;

type Row = Mail & { id: string; attempts: number };
type Parts = {
  store: Store;
  clock: Clock;
  /** Absent without a mail server; no email is queued then. */
  send: SendMail | undefined;
  onFailure: (error: unknown, message: string) => void;
};

/** Outgoing email: stored as a row first, so that a restart loses none. */
export function createMails({ store, clock, send, onFailure }: Parts) {
  let draining: Promise<void> | undefined;
  let isClosed = false;
  const timer = send && setInterval(() => void drain(), LOOK_EVERY_MS).unref();

  /** Belongs in the transaction that it reports. */
  function post({ to, subject, body }: Mail): void {
    if (send === undefined) return;
    const now = clock.now();
    store.prepare(INSERT).run({ id: newId('mail', now), to, subject, body, now });
    setImmediate(() => void drain());
  }

  /** Sends what is due, one after another. Joins a running round; never rejects. */
  function drain(): Promise<void> {
    draining ??= sendDue()
      .catch((error: unknown) => onFailure(error, 'the outcome of a mail was not stored'))
      .finally(() => (draining = undefined));
    return draining;
  }

  async function sendDue(): Promise<void> {
    if (send === undefined || isClosed) return;
    for (const mail of store.prepare<Row>(DUE).all(clock.now(), BATCH_MAX)) {
      const error = await send(mail).then(
        () => undefined,
        (reason: unknown) => reason ?? new Error('no reason'),
      );
      if (isClosed) return;
      if (error === undefined) store.prepare("UPDATE mails SET state = 'sent' WHERE id = ?").run(mail.id);
      else putOff(mail, error);
    }
    store.prepare("DELETE FROM mails WHERE state <> 'pending' AND created_at < ?").run(clock.now() - KEPT_MS);
  }

  function putOff({ id, attempts }: Row, error: unknown): void {
    const waitMs = WAITS_MS[attempts];
    onFailure(
      error,
      waitMs === undefined
        ? 'a mail was dropped after its last attempt'
        : 'a mail could not be sent and will be retried',
    );
    store
      .prepare('UPDATE mails SET state = ?, attempts = attempts + 1, next_at = ? WHERE id = ?')
      .run(waitMs === undefined ? 'failed' : 'pending', clock.now() + (waitMs ?? 0), id);
  }

  /** An email in flight is sent again after the next start, rather than lost. */
  function close(): void {
    isClosed = true;
    clearInterval(timer);
  }

  return { post, drain, close };
}

const INSERT = `
  INSERT INTO mails(id, recipient, subject, body, next_at, created_at) VALUES(@id, @to, @subject, @body, @now, @now)`;

const DUE = `
  SELECT id, recipient AS "to", subject, body, attempts FROM mails WHERE state = 'pending' AND next_at <= ?
  ORDER BY next_at LIMIT ?`;
