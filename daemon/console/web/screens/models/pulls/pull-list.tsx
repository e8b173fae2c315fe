import { useState } from 'react';
import type { Pull, PullAnswer } from '../../../../../../src/api/management/library.ts';
import { call } from '../../../data/api.ts';
import { duration } from '../../../data/format.ts';
import { Confirm } from '../../../parts/confirm.tsx';
import { Problem } from '../../../parts/problem.tsx';
import { CheckBadge } from '../check/check-view.tsx';
import { checkWhenDone } from '../check/new-models.ts';
import { isOpen, useArtifacts, useChange, useModelsRefresh, usePulls } from '../data.ts';
import { size } from '../size.ts';

/** Ended downloads that are still of interest, such as failed ones that may be retried. */
const ENDED_MAX = 3;

export function PullList() {
  const { pulls, error } = usePulls();
  const current = pulls.filter(isOpen);
  const ended = pulls.filter((pull) => !current.includes(pull)).slice(0, ENDED_MAX);
  if (current.length === 0 && ended.length === 0) return <Problem error={error} />;
  return (
    <section className="card" aria-label="Downloads">
      <h2>Downloads</h2>
      <Problem error={error} />
      <div>
        {current.map((pull) => (
          <Download key={pull.id} pull={pull} />
        ))}
        {ended.map((pull) => (
          <Ended key={pull.id} pull={pull} />
        ))}
      </div>
    </section>
  );
}

function Download({ pull }: { pull: Pull }) {
  const [isAsking, setAsking] = useState(false);
  const isPaused = pull.state === 'paused';
  const changing = useChange(() =>
    call('POST', `/api/daemon/pulls/${pull.id}/${isPaused ? 'resume' : 'pause'}`),
  );
  return (
    <article className="model" aria-label={pull.artifact}>
      <div className="row apart">
        <span className="name">{pull.artifact}</span>
        <div className="row">
          <button type="button" disabled={changing.isPending} onClick={() => changing.mutate()}>
            {isPaused ? 'Resume' : 'Pause'}
          </button>
          <button type="button" className="danger" onClick={() => setAsking(true)}>
            Cancel
          </button>
        </div>
      </div>
      <progress
        aria-label={`Received of ${pull.artifact}`}
        max={Math.max(1, pull.bytes_total)}
        value={pull.bytes_received}
      />
      <span className="small quiet">{progressOf(pull)}</span>
      {pull.reason !== null && (
        <span className="small quiet">
          For {pull.service}: {pull.reason}.
        </span>
      )}
      <Problem error={changing.error} />
      {isAsking && (
        <Confirm
          title={`Cancel the download of ${pull.artifact}`}
          action="Cancel and delete"
          onClose={() => setAsking(false)}
          run={() => call('DELETE', `/api/daemon/pulls/${pull.id}`)}
        >
          The {size(pull.bytes_received)} received so far are deleted. To continue later, pause it instead.
        </Confirm>
      )}
    </article>
  );
}

function progressOf(pull: Pull): string {
  const { state, waiting, bytes_received: received, bytes_total: total, bytes_verified: verified } = pull;
  const amount = `${size(received)} of ${size(total)}`;
  if (state === 'paused') return `Paused at ${amount}`;
  if (state === 'queued') return `${amount}, waiting for another download`;
  if (waiting) return `${amount}, waiting: ${waiting.reason}`;
  if (received >= total) return `Verifying: ${size(verified)} of ${size(total)}`;
  const speed = pull.bytes_per_second === null ? [] : [`${size(pull.bytes_per_second)}/s`];
  const left = pull.eta_seconds === null ? [] : [`${duration(pull.eta_seconds)} left`];
  return [amount, ...speed, ...left, `${size(verified)} verified`].join(', ');
}

function Ended({ pull }: { pull: Pull }) {
  const refresh = useModelsRefresh();
  const again = useChange(async () => {
    const answer = await call<PullAnswer>('POST', '/api/daemon/pulls', { model: pull.model });
    if (answer.pull) checkWhenDone(answer.pull, refresh);
  });
  const { data } = useArtifacts();
  const check = data?.artifacts.find(({ id }) => id === pull.artifact)?.check;
  const isDone = pull.state === 'done';
  return (
    <article className="model" aria-label={pull.artifact}>
      <div className="row apart">
        <span className="name">
          {pull.artifact} <span className={`badge ${isDone ? 'good' : 'bad'}`}>{pull.state}</span>{' '}
          {isDone && <CheckBadge model={pull.artifact} check={check} />}
        </span>
        {!isDone && (
          <button type="button" disabled={again.isPending} onClick={() => again.mutate()}>
            Download again
          </button>
        )}
      </div>
      {isDone ? (
        <span className="small quiet">
          {size(pull.bytes_total)}, every file verified
          {pull.service !== null && `. It serves ${pull.service}`}
          {check && `. Checked: ${check.summary}`}
        </span>
      ) : (
        pull.error && <span className="small">{pull.error.message}</span>
      )}
      <Problem error={again.error} />
    </article>
  );
}
