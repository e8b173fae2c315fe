import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { SubmitEvent } from 'react';
import type { Webhook } from '../../../../../src/api/account/webhooks.ts';
import { call } from '../../data/api.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Problem } from '../../parts/problem.tsx';
import { eventGroups } from './event-groups.ts';
import type { NewSecret } from './secret.tsx';

type Props = {
  webhook?: Webhook;
  onDone: (created: NewSecret | undefined) => void;
  onClose: () => void;
};

export function WebhookForm({ webhook, onDone, onClose }: Props) {
  const queries = useQueryClient();
  const saving = useMutation({
    mutationFn: (form: FormData) => save(webhook, form),
    onSuccess: async (created) => {
      await queries.invalidateQueries({ queryKey: ['webhooks'] });
      onDone(created);
    },
  });
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    saving.mutate(new FormData(event.currentTarget));
  };
  return (
    <Dialog title={webhook ? `Edit ${webhook.name}` : 'Create a webhook'} onClose={onClose}>
      <form onSubmit={submit}>
        <label className="field">
          <span className="label">Name</span>
          <input
            name="name"
            required
            maxLength={255}
            defaultValue={webhook?.name}
            placeholder="my application"
          />
        </label>
        <label className="field">
          <span className="label">Address of the receiver</span>
          <input
            name="url"
            type="url"
            required
            maxLength={2048}
            defaultValue={webhook?.url}
            placeholder="https://example.com/hook"
          />
          <span className="quiet small">
            A public address that begins with https://. Only the setting <code>webhooks_allow_cidrs</code>{' '}
            allows hosts on your own network.
          </span>
        </label>
        <EventFields events={webhook?.events ?? []} />
        <Problem error={saving.error} />
        <div className="row end">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" className="primary" disabled={saving.isPending}>
            {webhook ? 'Save' : 'Create'}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

function EventFields({ events }: { events: readonly string[] }) {
  return (
    <div className="events">
      {eventGroups().map((group) => (
        <fieldset key={group.name}>
          <legend>{group.name}</legend>
          {group.events.map(([type, summary]) => (
            <label key={type}>
              <input type="checkbox" name="events" value={type} defaultChecked={events.includes(type)} />
              <span>
                <code>{type}</code> <span className="quiet">– {summary}</span>
              </span>
            </label>
          ))}
        </fieldset>
      ))}
    </div>
  );
}

async function save(webhook: Webhook | undefined, form: FormData): Promise<NewSecret | undefined> {
  const wanted = { name: form.get('name'), url: form.get('url'), events: form.getAll('events') };
  if (wanted.events.length === 0) throw new Error('Choose at least one event.');
  if (webhook === undefined) return call<NewSecret>('POST', '/api/webhooks', wanted);
  await call('PATCH', `/api/webhooks/${webhook.id}`, wanted);
  return undefined;
}
