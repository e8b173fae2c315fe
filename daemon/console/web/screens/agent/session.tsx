import { useState } from 'react';
import { Link } from 'wouter';
import { Problem } from '../../parts/problem.tsx';
import { AskForm } from './ask/ask-form.tsx';
import { useSession } from './data.ts';
import { RunView } from './run/run-view.tsx';

/** A conversation: its runs in order, then the next question. */
export function Session({ id }: { id: string }) {
  const { data, error } = useSession(id);
  const [again, setAgain] = useState<{ query: string }>();
  if (!data)
    return error ? (
      <section className="card">
        <Problem error={error} />
        <p>
          It may have been deleted. <Link href="/agent/runs">See the earlier runs</Link>, or{' '}
          <Link href="/agent">ask something new</Link>.
        </p>
      </section>
    ) : (
      <p className="quiet">Loading…</p>
    );
  const running = data.turns.find(({ status }) => status === 'running');
  return (
    <AskForm session={id} running={running?.id} suggested={again}>
      {data.turns.map((run) => (
        <RunView key={run.id} run={run} onAgain={running ? undefined : (query) => setAgain({ query })} />
      ))}
    </AskForm>
  );
}
