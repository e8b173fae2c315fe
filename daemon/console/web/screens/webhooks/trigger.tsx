import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import {
  WEBHOOK_EVENT_SUMMARIES,
  type WebhookEventType,
} from '../../../../../src/api/account/webhook-event-summaries.ts';
import { call } from '../../data/api.ts';
import { Choice } from '../../parts/choice.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Problem } from '../../parts/problem.tsx';

const TYPES = Object.fromEntries(Object.keys(WEBHOOK_EVENT_SUMMARIES).map((type) => [type, type])) as Record<
  WebhookEventType,
  string
>;

export function Trigger({ onClose }: { onClose: () => void }) {
  const [type, setType] = useState<WebhookEventType>('chat.completed');
  const triggering = useMutation({
    mutationFn: () => call<{ id: string }>('POST', '/api/daemon/webhooks/trigger', { type }),
  });
  return (
    <Dialog title="Trigger an event" onClose={onClose}>
      <div className="stack">
        <p>Sends a made-up event, marked as a test, to every webhook that subscribes to its type.</p>
        <Choice label="Event" value={type} options={TYPES} onChange={setType} />
        <p className="quiet small">{WEBHOOK_EVENT_SUMMARIES[type]}.</p>
        <p role="status">
          {triggering.data && (
            <>
              Triggered <code>{triggering.data.id}</code>. Each webhook’s deliveries show what became of it.
            </>
          )}
        </p>
        <Problem error={triggering.error} />
        <div className="row end">
          <button type="button" onClick={onClose}>
            Close
          </button>
          <button
            type="button"
            className="primary"
            disabled={triggering.isPending}
            onClick={() => triggering.mutate()}
          >
            Trigger
          </button>
        </div>
      </div>
    </Dialog>
  );
}
