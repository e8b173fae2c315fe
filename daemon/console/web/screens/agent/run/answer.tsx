import { useMemo } from 'react';
import { Markdown, References } from '../../../parts/markdown.tsx';
import { placeOf } from './places.ts';
import type { Done, Fact } from './run-state.ts';
import type { OpenSource } from './source-dialog.tsx';

type Props = { done: Done; facts: readonly Fact[]; onOpen: (source: OpenSource) => void };

/** The checked answer: each number in it opens its source at the quoted words. */
export function Answer({ done, facts, onOpen }: Props) {
  const { answer, sources } = done;
  const open = useMemo(() => {
    const quotesOf = (n: number) => done.citations.filter((each) => each.n === n);
    const passageOf = (url: string, quote: string) =>
      facts.find((fact) => fact.source.url === url && fact.quote === quote);
    return (n: number) => {
      const source = sources.find((each) => each.n === n);
      if (source === undefined) return;
      const { url, title } = source;
      onOpen({ url, title, quotes: quotesOf(n).map((each) => passageOf(each.url, each.quote) ?? each) });
    };
  }, [done, facts, onOpen, sources]);
  const references = useMemo(
    () => ({ titles: new Map(sources.map(({ n, title }) => [n, title])), open }),
    [sources, open],
  );
  if (answer === '') return null;
  return (
    <section className="answer" aria-label="Answer">
      <References value={references}>
        <Markdown text={answer} />
      </References>
      {sources.length > 0 && (
        <ol className="sources" aria-label="Sources">
          {sources.map(({ n, title, url }) => (
            <li key={n}>
              <button type="button" onClick={() => open(n)}>
                <span className="n">{n}</span>
                <span className="title">{title}</span>
                <span className="quiet small">{placeOf(url)}</span>
              </button>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}

/** As plain text. */
export function withSources({ answer, sources }: Done): string {
  const listed = sources.map(({ n, title, url }) => `[${n}] ${title}\n    ${url}`);
  return [answer, ...(listed.length > 0 ? ['', 'Sources:', ...listed] : [])].join('\n');
}
