import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { WebhookAttempt, WebhookDeliveryDetail } from '../../../../../src/api/account/webhooks.ts';
import { call } from '../../data/api.ts';
import { moment } from '../../data/format.ts';
import { CopyButton } from '../../parts/copy-button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Problem } from '../../parts/problem.tsx';
import { TONES } from './health.ts';
import { answerOf, hasArrived } from './outcome.tsx';

type Answer = { delivery: WebhookDeliveryDetail };
type Props = { webhookId: string; eventId: string; onClose: () => void };

const CAUSES = { schedule: 'scheduled', resend: 'resent', test: 'a test' };

/** What was sent, and what came back each time. */
export function Delivery({ webhookId, eventId, onClose }: Props) {
  const queries = useQueryClient();
  const path = `/api/webhooks/${webhookId}/deliveries/${encodeURIComponent(eventId)}`;
  const { data, error } = useQuery({
    queryKey: ['webhooks', webhookId, 'delivery', eventId],
    queryFn: () => call<Answer>('GET', path),
  });
  const resending = useMutation({
    mutationFn: () => call<Answer>('POST', `${path}/resend`),
    onSettled: () => queries.invalidateQueries({ queryKey: ['webhooks'] }),
  });
  return (
    <Dialog title={data ? `Delivery of ${data.delivery.type}` : 'Delivery'} onClose={onClose}>
      <div className="stack">
        <Problem error={error ?? resending.error} />
        {data && <Sent delivery={data.delivery} />}
        {data && <Attempts attempts={data.delivery.attempts} />}
        <div className="row end">
          <button type="button" disabled={resending.isPending} onClick={() => resending.mutate()}>
            {resending.isPending ? 'Sending…' : 'Resend now'}
          </button>
          <button type="button" className="primary" onClick={onClose}>
            Close
          </button>
        </div>
      </div>
    </Dialog>
  );
}

function Sent({ delivery }: { delivery: WebhookDeliveryDetail }) {
  const { body, event_id: id, state, next_attempt_at: next, timestamp } = delivery;
  return (
    <>
      <p>
        <span className={`badge ${TONES[state]}`}>{state}</span> Recorded {moment(timestamp)}.
        {next !== null && ` Next attempt ${moment(next)}.`}
      </p>
      <div className="row apart">
        <h3>Request</h3>
        <CopyButton text={body} label="Copy the body" />
      </div>
      <pre className="payload" tabIndex={0} aria-label="Headers of the request">
        {`POST\ncontent-type: application/json\nwebhook-id: ${id}\nwebhook-timestamp: the attempt’s time, in seconds\nwebhook-signature: v1,… (not stored)`}
      </pre>
      <pre className="payload" tabIndex={0} aria-label="Body of the request">
        {JSON.stringify(JSON.parse(body), null, 2)}
      </pre>
      <p className="quiet small">Indented here. The copy has the bytes that were signed and sent.</p>
    </>
  );
}

function Attempts({ attempts }: { attempts: readonly WebhookAttempt[] }) {
  return (
    <>
      <h3>{attempts.length === 1 ? '1 attempt' : `${attempts.length} attempts`}</h3>
      {attempts.map((attempt, index) => (
        <div key={index} className="attempt">
          <div>
            <span className={`badge ${hasArrived(attempt) ? 'good' : 'bad'}`}>{answerOf(attempt)}</span>{' '}
            {moment(attempt.started_at)}, {CAUSES[attempt.cause]}, {attempt.duration_ms} ms
          </div>
          {attempt.snippet !== '' && (
            <pre className="payload" tabIndex={0} aria-label="Start of the answer">
              {attempt.snippet}
            </pre>
          )}
        </div>
      ))}
    </>
  );
}
