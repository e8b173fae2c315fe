import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { WebhookDelivery } from '../../../../../src/api/account/webhooks.ts';
import { call } from '../../data/api.ts';
import { moment } from '../../data/format.ts';
import { Choice } from '../../parts/choice.tsx';
import { Problem } from '../../parts/problem.tsx';
import { Delivery } from './delivery.tsx';
import { TONES } from './health.ts';

const STATES = {
  '': 'All',
  pending: 'Pending',
  delivered: 'Delivered',
  failed: 'Failed',
  expired: 'Expired',
};
const PAGE = 20;
/** Deliveries report no events, so the page polls; more often while one is in flight. */
const PENDING_POLL_MS = 3_000;
const POLL_MS = 15_000;

type Page = { deliveries: WebhookDelivery[]; has_more: boolean };
type Props = {
  webhookId: string;
  open: string | undefined;
  onOpen: (eventId: string | undefined) => void;
};

export function Deliveries({ webhookId, open, onOpen }: Props) {
  const [state, setState] = useState<keyof typeof STATES>('');
  /** Where each page after the first starts. */
  const [cursors, setCursors] = useState<readonly string[]>([]);
  const before = cursors.at(-1);
  const { data, error } = useQuery({
    queryKey: ['webhooks', webhookId, 'deliveries', state, before],
    queryFn: () => call<Page>('GET', `/api/webhooks/${webhookId}/deliveries?${queryOf(state, before)}`),
    placeholderData: (previous) => previous,
    refetchInterval: ({ state: { data: page } }) =>
      page?.deliveries.some((each) => each.state === 'pending') ? PENDING_POLL_MS : POLL_MS,
  });
  const filter = (next: keyof typeof STATES) => {
    setState(next);
    setCursors([]);
  };
  const last = data?.deliveries.at(-1);
  return (
    <section className="card">
      <div className="row apart">
        <h2>Deliveries of the last 30 days</h2>
        <Choice label="State" value={state} options={STATES} onChange={filter} />
      </div>
      <Problem error={error} />
      {data && <DeliveryTable deliveries={data.deliveries} onOpen={onOpen} />}
      <div className="row end">
        {cursors.length > 0 && (
          <button type="button" onClick={() => setCursors(cursors.slice(0, -1))}>
            Newer
          </button>
        )}
        {data?.has_more && last && (
          <button type="button" onClick={() => setCursors([...cursors, last.event_id])}>
            Older
          </button>
        )}
      </div>
      {open !== undefined && (
        <Delivery webhookId={webhookId} eventId={open} onClose={() => onOpen(undefined)} />
      )}
    </section>
  );
}

function queryOf(state: string, before: string | undefined): URLSearchParams {
  return new URLSearchParams({ limit: `${PAGE}`, ...(state && { state }), ...(before && { before }) });
}

type TableProps = { deliveries: readonly WebhookDelivery[]; onOpen: (eventId: string) => void };

function DeliveryTable({ deliveries, onOpen }: TableProps) {
  if (deliveries.length === 0) return <p className="quiet">None.</p>;
  return (
    <div className="scroll" tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th>Event</th>
            <th>State</th>
            <th className="number">Attempts</th>
            <th>Recorded</th>
            <th>Next attempt</th>
          </tr>
        </thead>
        <tbody>
          {deliveries.map((delivery) => (
            <tr key={delivery.event_id}>
              <td>
                <button type="button" className="link" onClick={() => onOpen(delivery.event_id)}>
                  {delivery.type}
                </button>
                <div className="quiet small">
                  <code>{delivery.event_id}</code>
                </div>
              </td>
              <td>
                <span className={`badge ${TONES[delivery.state]}`}>{delivery.state}</span>
              </td>
              <td className="number">{delivery.attempts}</td>
              <td>{moment(delivery.timestamp)}</td>
              <td>{delivery.next_attempt_at === null ? '–' : moment(delivery.next_attempt_at)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
