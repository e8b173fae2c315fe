import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useSearchParams } from 'wouter';
import type { Webhook } from '../../../../../src/api/account/webhooks.ts';
import { call } from '../../data/api.ts';
import { ownsMachine } from '../../data/person.ts';
import { Problem } from '../../parts/problem.tsx';
import { Secret, type NewSecret } from './secret.tsx';
import { Trigger } from './trigger.tsx';
import { WebhookDetail } from './webhook-detail.tsx';
import { WebhookForm } from './webhook-form.tsx';
import { WebhookList } from './webhook-list.tsx';
import './webhooks.css';

/** The list, or with `?id=` one webhook, so that a link leads to it. */
export function Webhooks() {
  const [search, setSearch] = useSearchParams();
  const [created, setCreated] = useState<NewSecret>();
  const { data, error } = useQuery({
    queryKey: ['webhooks'],
    queryFn: () => call<{ webhooks: Webhook[] }>('GET', '/api/webhooks'),
  });
  const open = (id: string | undefined) => setSearch(id === undefined ? {} : { id });
  const chosen = data?.webhooks.find(({ id }) => id === search.get('id'));
  return (
    <>
      <Problem error={error} />
      {data && chosen === undefined && <All webhooks={data.webhooks} onOpen={open} onSecret={setCreated} />}
      {chosen && (
        <WebhookDetail
          key={chosen.id}
          webhook={chosen}
          onSecret={setCreated}
          onClose={() => open(undefined)}
        />
      )}
      {created && <Secret created={created} onClose={() => setCreated(undefined)} />}
    </>
  );
}

type AllProps = {
  webhooks: readonly Webhook[];
  onOpen: (id: string) => void;
  onSecret: (created: NewSecret) => void;
};

function All({ webhooks, onOpen, onSecret }: AllProps) {
  const [task, setTask] = useState<'create' | 'trigger'>();
  const close = () => setTask(undefined);
  return (
    <>
      <div className="row apart">
        <h1>Webhooks</h1>
        <div className="row">
          {webhooks.length > 0 && ownsMachine() && (
            <button type="button" onClick={() => setTask('trigger')}>
              Trigger an event
            </button>
          )}
          <button type="button" className="primary" onClick={() => setTask('create')}>
            Create webhook
          </button>
        </div>
      </div>
      <p className="quiet">Events of this daemon, sent to other programs as signed HTTP requests.</p>
      <WebhookList webhooks={webhooks} onOpen={onOpen} />
      {task === 'create' && (
        <WebhookForm
          onDone={(secret) => {
            close();
            if (secret) onSecret(secret);
          }}
          onClose={close}
        />
      )}
      {task === 'trigger' && <Trigger onClose={close} />}
    </>
  );
}
