import { useId, useState } from 'react';
import type { AgentRun } from '../../../../../../src/api/tasks/agent.ts';
import { credits, moment, number } from '../../../data/format.ts';
import { CopyButton } from '../../../parts/copy-button.tsx';
import { Markdown } from '../../../parts/markdown.tsx';
import { Problem } from '../../../parts/problem.tsx';
import { Answer, withSources } from './answer.tsx';
import { RunBadge } from './run-badge.tsx';
import { summaryOf, type Done, type Watched } from './run-state.ts';
import { SourceDialog, type OpenSource } from './source-dialog.tsx';
import { Timeline } from './timeline.tsx';
import { useWatch } from './use-watch.ts';

type Props = { run: AgentRun; onAgain: ((query: string) => void) | undefined };

export function RunView({ run, onAgain }: Props) {
  const { watched, isLost, error } = useWatch(run.id);
  const [source, setSource] = useState<OpenSource>();
  const id = useId();
  const { end, facts } = watched;
  const isRunning = end === undefined;
  return (
    <article className="card run" aria-labelledby={id} aria-busy={isRunning}>
      <div className="row apart head">
        <h2 id={id}>{run.query}</h2>
        <RunBadge run={end === undefined ? run : { ...run, ...endingOf(end, run) }} />
      </div>
      {isLost && (
        <p className="notice" role="status">
          The connection to this run is lost. The page reconnects as soon as the daemon answers.
        </p>
      )}
      <Steps watched={watched} onOpen={setSource} />
      {isRunning && watched.text !== '' && (
        <section className="answer" aria-label="Answer in progress">
          <Markdown text={watched.text} isGrowing />
        </section>
      )}
      {end?.type === 'done' && <Answer done={end} facts={facts} onOpen={setSource} />}
      {end?.type === 'error' && <p className="problem">{end.message}</p>}
      <Problem error={error} />
      {!isRunning && (
        <div className="row">
          {end.type === 'done' && end.answer !== '' && (
            <CopyButton text={() => withSources(end)} label="Copy with sources" />
          )}
          {onAgain && (
            <button type="button" onClick={() => onAgain(run.query)}>
              Ask again
            </button>
          )}
        </div>
      )}
      <Numbers run={run} end={end?.type === 'done' ? end : undefined} />
      {source && <SourceDialog source={source} onClose={() => setSource(undefined)} />}
    </article>
  );
}

/** Open while it runs, folded once the answer is there, unless the person decides otherwise. */
function Steps({ watched, onOpen }: { watched: Watched; onOpen: (source: OpenSource) => void }) {
  const isRunning = watched.end === undefined;
  const [wanted, setWanted] = useState<boolean>();
  const isOpen = wanted ?? isRunning;
  return (
    <details className="run-steps" open={isOpen}>
      <summary
        onClick={(event) => {
          event.preventDefault();
          setWanted(!isOpen);
        }}
      >
        <span role="status">{summaryOf(watched)}</span>
      </summary>
      {isOpen && <Timeline entries={watched.entries} onOpen={onOpen} />}
    </details>
  );
}

function endingOf(end: NonNullable<Watched['end']>, run: AgentRun): Pick<AgentRun, 'status' | 'stopped'> {
  if (end.type === 'error')
    return { status: run.status === 'interrupted' ? 'interrupted' : 'failed', stopped: null };
  return { status: end.stopped === 'cancelled' ? 'cancelled' : 'finished', stopped: end.stopped };
}

function Numbers({ run, end }: { run: AgentRun; end: Done | undefined }) {
  const { usage } = end ?? {};
  const parts = [
    `${credits(run.credits)} credits`,
    usage && `${(usage.wall_ms / 1000).toFixed(1)} s`,
    usage && `${number(usage.prompt_tokens)} + ${number(usage.completion_tokens)} tokens`,
    usage && `${usage.model_calls} model calls`,
    run.mode,
    run.model,
    moment(run.started_at),
  ];
  return (
    <ul className="numbers quiet small" aria-label="Statistics of this run">
      {parts.filter(Boolean).map((part) => (
        <li key={String(part)}>{part}</li>
      ))}
    </ul>
  );
}
