import { Link } from 'wouter';
import { credits } from '../../../data/format.ts';
import { useCollections, useRuns } from '../data.ts';
import { RunBadge } from '../run/run-badge.tsx';
import { AskForm } from './ask-form.tsx';

const LATEST = 5;

export function Ask() {
  return (
    <AskForm>
      <FirstSteps />
      <Latest />
    </AskForm>
  );
}

/** Until there is something to search. */
function FirstSteps() {
  const { data } = useCollections();
  if (data === undefined || data.length > 0) return null;
  return (
    <div className="notice neutral">
      <p>
        <strong>Give it something to read.</strong> <Link href="/agent/documents">Add documents</Link>: drop
        files or name a folder on this machine. Nothing leaves the machine. Or let it search the web: turn on{' '}
        <code>agent_duckduckgo</code> under <Link href="/settings">Settings</Link>; its searches are then sent
        to DuckDuckGo.
      </p>
    </div>
  );
}

function Latest() {
  const { data } = useRuns();
  const latest = data?.data.slice(0, LATEST) ?? [];
  if (latest.length === 0) return null;
  return (
    <section className="card" aria-labelledby="latest">
      <div className="row apart">
        <h2 id="latest">Latest runs</h2>
        <Link href="/agent/runs" className="small">
          All runs
        </Link>
      </div>
      <ul className="latest">
        {latest.map((run) => (
          <li key={run.id}>
            <Link href={`/agent/sessions/${run.session_id}`}>{run.query}</Link>
            <span className="row quiet small">
              <RunBadge run={run} />
              {credits(run.credits)} credits
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
