import { useState } from 'react';
import { Link } from 'wouter';
import type { AgentRun } from '../../../../../../src/api/tasks/agent.ts';
import { credits, duration, moment } from '../../../data/format.ts';
import { ask } from '../../../data/playground-key.ts';
import { ActionsHeading } from '../../../parts/actions-heading.tsx';
import { Confirm } from '../../../parts/confirm.tsx';
import { Problem } from '../../../parts/problem.tsx';
import { useRefresh, useRuns } from '../data.ts';
import { RunBadge } from '../run/run-badge.tsx';
import { StopButton } from '../run/stop-button.tsx';

export function Earlier() {
  const { data, error } = useRuns();
  const [removed, setRemoved] = useState<AgentRun>();
  const refresh = useRefresh();
  const runs = data?.data ?? [];
  const inSession = runs.filter(({ session_id: session }) => session === removed?.session_id).length;
  return (
    <section className="card" aria-labelledby="earlier">
      <h2 id="earlier">Runs from this console, newest first</h2>
      <Problem error={error} />
      {data && runs.length === 0 && (
        <p className="quiet">
          None yet. <Link href="/agent">Ask the first question</Link>.
        </p>
      )}
      {runs.length > 0 && <RunTable runs={runs} onRemove={setRemoved} />}
      {removed && (
        <Confirm
          title="Delete this conversation"
          action="Delete"
          onClose={() => setRemoved(undefined)}
          run={async () => {
            await ask('DELETE', `/v1/agent/sessions/${encodeURIComponent(removed.session_id)}`);
            refresh();
          }}
        >
          {inSession === 1
            ? `“${removed.query}” is deleted with its answer, its facts and its sources.`
            : `Its ${inSession} questions are deleted with their answers, facts and sources.`}
        </Confirm>
      )}
    </section>
  );
}

function RunTable({ runs, onRemove }: { runs: readonly AgentRun[]; onRemove: (run: AgentRun) => void }) {
  return (
    <div className="scroll" tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th>Question</th>
            <th>State</th>
            <th>Mode</th>
            <th className="number">Credits</th>
            <th>Took</th>
            <th>Asked</th>
            <ActionsHeading />
          </tr>
        </thead>
        <tbody>
          {runs.map((run) => (
            <tr key={run.id}>
              <td className="question">
                <Link href={`/agent/sessions/${run.session_id}`}>{run.query}</Link>
              </td>
              <td>
                <RunBadge run={run} />
              </td>
              <td>{run.mode}</td>
              <td className="number">{credits(run.credits)}</td>
              <td className="nowrap">{tookOf(run)}</td>
              <td className="nowrap">{moment(run.started_at)}</td>
              <td>
                <div className="row end">
                  {run.status === 'running' ? (
                    <StopButton run={run.id} />
                  ) : (
                    <button
                      type="button"
                      className="danger"
                      aria-label={`Delete ${run.query}`}
                      onClick={() => onRemove(run)}
                    >
                      Delete
                    </button>
                  )}
                </div>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function tookOf({ started_at: from, ended_at: until }: AgentRun): string {
  return until === null ? '–' : duration(Math.max(1, (Date.parse(until) - Date.parse(from)) / 1000));
}
