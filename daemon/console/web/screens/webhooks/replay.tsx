import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type SubmitEvent } from 'react';
import type { Webhook } from '../../../../../src/api/account/webhooks.ts';
import { call } from '../../data/api.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Problem } from '../../parts/problem.tsx';

const DAY_MS = 86_400_000;

/** The value of a local date and time field. */
function localTime(date: Date): string {
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

export function Replay({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const queries = useQueryClient();
  const [since, setSince] = useState(() => localTime(new Date(Date.now() - DAY_MS)));
  const replaying = useMutation({
    mutationFn: () =>
      call<{ queued: number }>('POST', `/api/webhooks/${webhook.id}/replay`, {
        since: new Date(since).toISOString(),
      }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['webhooks'] }),
  });
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    replaying.mutate();
  };
  return (
    <Dialog title={`Replay events to ${webhook.name}`} onClose={onClose}>
      <form onSubmit={submit}>
        <p>Resends every event that was not delivered since this time, at most 30 days back.</p>
        <label className="field">
          <span className="label">Since</span>
          <input
            type="datetime-local"
            required
            value={since}
            onChange={(event) => setSince(event.target.value)}
          />
        </label>
        <p role="status">
          {replaying.data &&
            (replaying.data.queued === 1
              ? '1 event is queued.'
              : `${replaying.data.queued} events are queued.`)}
        </p>
        <Problem error={replaying.error} />
        <div className="row end">
          <button type="button" onClick={onClose}>
            Close
          </button>
          <button type="submit" className="primary" disabled={replaying.isPending}>
            Replay
          </button>
        </div>
      </form>
    </Dialog>
  );
}
