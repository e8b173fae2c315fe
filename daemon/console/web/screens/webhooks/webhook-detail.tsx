import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Webhook, WebhookDeliveryDetail } from '../../../../../src/api/account/webhooks.ts';
import { call } from '../../data/api.ts';
import { moment } from '../../data/format.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { Problem } from '../../parts/problem.tsx';
import { Deliveries } from './deliveries.tsx';
import { healthOf } from './health.ts';
import { Outcome } from './outcome.tsx';
import { Replay } from './replay.tsx';
import type { NewSecret } from './secret.tsx';
import { WebhookForm } from './webhook-form.tsx';

type Task = 'edit' | 'rotate' | 'delete' | 'replay';
type Props = { webhook: Webhook; onSecret: (created: NewSecret) => void; onClose: () => void };

export function WebhookDetail({ webhook, onSecret, onClose }: Props) {
  const [task, setTask] = useState<Task>();
  const [openEvent, setOpenEvent] = useState<string>();
  const close = () => setTask(undefined);
  return (
    <>
      <div className="row">
        <button type="button" onClick={onClose}>
          ← All webhooks
        </button>
      </div>
      <h1>{webhook.name}</h1>
      <Summary webhook={webhook} />
      <Actions webhook={webhook} onTask={setTask} onTested={setOpenEvent} />
      <Deliveries webhookId={webhook.id} open={openEvent} onOpen={setOpenEvent} />
      {task === 'edit' && <WebhookForm webhook={webhook} onDone={close} onClose={close} />}
      {task === 'replay' && <Replay webhook={webhook} onClose={close} />}
      {task === 'rotate' && (
        <Confirm
          title={`Rotate the secret of ${webhook.name}`}
          action="Rotate"
          onClose={close}
          run={async () => onSecret(await call('POST', `/api/webhooks/${webhook.id}/rotate-secret`))}
        >
          For a day, deliveries are signed with both secrets; then only with the new one.
        </Confirm>
      )}
      {task === 'delete' && <Delete webhook={webhook} onDeleted={onClose} onClose={close} />}
    </>
  );
}

function Summary({ webhook }: { webhook: Webhook }) {
  const { text, tone, why } = healthOf(webhook);
  const rows: [string, React.ReactNode][] = [
    ['Address', <code key="url">{webhook.url}</code>],
    ['Events', webhook.events.join(', ')],
    [
      'Health',
      <span key="health">
        <span className={`badge ${tone}`}>{text}</span> {why}
      </span>,
    ],
    ['Last success', moment(webhook.last_success_at)],
    ...(webhook.failing_since === null
      ? []
      : [['Failing since', moment(webhook.failing_since)] as [string, string]]),
    ['Created', moment(webhook.created_at)],
  ];
  return (
    <section className="card" aria-label="Webhook">
      <table>
        <tbody>
          {rows.map(([name, value]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td className="address">{value}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

type ActionProps = {
  webhook: Webhook;
  onTask: (task: Task) => void;
  onTested: (eventId: string) => void;
};

function Actions({ webhook: { id, enabled }, onTask, onTested }: ActionProps) {
  const queries = useQueryClient();
  const reload = () => queries.invalidateQueries({ queryKey: ['webhooks'] });
  const testing = useMutation({
    mutationFn: () => call<{ delivery: WebhookDeliveryDetail }>('POST', `/api/webhooks/${id}/test`),
    onSettled: reload,
  });
  const switching = useMutation({
    mutationFn: () => call('PATCH', `/api/webhooks/${id}`, { enabled: !enabled }),
    onSettled: reload,
  });
  return (
    <>
      <div className="row">
        <button
          type="button"
          className="primary"
          disabled={testing.isPending}
          onClick={() => testing.mutate()}
        >
          {testing.isPending ? 'Sending…' : 'Send a test event'}
        </button>
        <button type="button" disabled={switching.isPending} onClick={() => switching.mutate()}>
          {enabled ? 'Pause' : 'Resume'}
        </button>
        <button type="button" onClick={() => onTask('replay')}>
          Replay
        </button>
        <button type="button" onClick={() => onTask('edit')}>
          Edit
        </button>
        <button type="button" onClick={() => onTask('rotate')}>
          Rotate secret
        </button>
        <button type="button" className="danger" onClick={() => onTask('delete')}>
          Delete
        </button>
      </div>
      <Problem error={testing.error ?? switching.error} />
      {testing.data && <Outcome delivery={testing.data.delivery} onOpen={onTested} />}
    </>
  );
}

type DeleteProps = { webhook: Webhook; onDeleted: () => void; onClose: () => void };

function Delete({ webhook, onDeleted, onClose }: DeleteProps) {
  const queries = useQueryClient();
  return (
    <Confirm
      title={`Delete ${webhook.name}`}
      action="Delete"
      onClose={onClose}
      run={async () => {
        await call('DELETE', `/api/webhooks/${webhook.id}`);
        // Refetching would also request its deliveries, which are gone.
        queries.setQueryData<{ webhooks: Webhook[] }>(['webhooks'], (before) => ({
          webhooks: before?.webhooks.filter(({ id }) => id !== webhook.id) ?? [],
        }));
        onDeleted();
      }}
    >
      Its pending deliveries are deleted with it. This cannot be undone.
    </Confirm>
  );
}
