import type { Webhook } from '../../../../../src/api/account/webhooks.ts';
import { moment } from '../../data/format.ts';
import { healthOf } from './health.ts';

type Props = { webhooks: readonly Webhook[]; onOpen: (id: string) => void };

export function WebhookList({ webhooks, onOpen }: Props) {
  if (webhooks.length === 0) {
    return (
      <p className="card quiet">
        No webhooks yet. Create one to learn when a chat finishes, a key changes or a limit is reached.
      </p>
    );
  }
  return (
    <section className="card scroll" tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th>Name</th>
            <th>Health</th>
            <th>Events</th>
            <th>Last success</th>
          </tr>
        </thead>
        <tbody>
          {webhooks.map((webhook) => (
            <WebhookRow key={webhook.id} webhook={webhook} onOpen={onOpen} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

function WebhookRow({ webhook, onOpen }: { webhook: Webhook; onOpen: (id: string) => void }) {
  const { text, tone } = healthOf(webhook);
  return (
    <tr>
      <td>
        <button type="button" className="link" onClick={() => onOpen(webhook.id)}>
          {webhook.name}
        </button>
        <div className="quiet small address">{webhook.url}</div>
      </td>
      <td>
        <span className={`badge ${tone}`}>{text}</span>
      </td>
      <td className="small">{webhook.events.join(', ')}</td>
      <td>{moment(webhook.last_success_at)}</td>
    </tr>
  );
}
