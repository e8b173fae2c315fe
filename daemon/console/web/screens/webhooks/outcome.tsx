import type { WebhookAttempt, WebhookDeliveryDetail } from '../../../../../src/api/account/webhooks.ts';

/** The outcome of an attempt that a person requested. */
export function Outcome({
  delivery,
  onOpen,
}: {
  delivery: WebhookDeliveryDetail;
  onOpen?: (eventId: string) => void;
}) {
  const last = delivery.attempts.at(-1);
  const arrived = hasArrived(last);
  return (
    <p className={arrived ? 'card' : 'problem'} role="status">
      <span>
        {arrived ? 'It arrived: ' : 'It did not arrive: '}
        {last === undefined ? 'nothing was sent' : `${answerOf(last)} after ${last.duration_ms} ms`}.
        {onOpen && (
          <>
            {' '}
            <button type="button" className="link" onClick={() => onOpen(delivery.event_id)}>
              Show the delivery
            </button>
          </>
        )}
      </span>
    </p>
  );
}

export function hasArrived(attempt: WebhookAttempt | undefined): boolean {
  const status = attempt?.status ?? 0;
  return status >= 200 && status < 300;
}

export function answerOf({ status, error }: WebhookAttempt): string {
  return status === null ? (error ?? 'no answer').replaceAll('_', ' ') : `status ${status}`;
}
