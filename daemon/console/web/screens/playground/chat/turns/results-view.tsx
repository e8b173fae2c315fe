import { formatted } from '../settings/json.ts';
import type { ResultsTurn } from '../state/turn.ts';

export function ResultsView({ turn: { results } }: { turn: ResultsTurn }) {
  return (
    <article className="turn results" aria-label="Results of tools">
      {results.map(({ id, name, content }) => (
        <section key={id} className="call">
          <span>
            <span className="badge">result</span> <code>{name}</code>
          </span>
          <pre tabIndex={0} aria-label={`Result of ${name}`}>
            {formatted(content)}
          </pre>
        </section>
      ))}
    </article>
  );
}
