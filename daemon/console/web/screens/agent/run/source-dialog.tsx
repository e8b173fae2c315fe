import { useEffect, useRef } from 'react';
import { Dialog } from '../../../parts/dialog.tsx';
import { isWebPage, pathOf, placeOf, quoted } from './places.ts';
import type { Fact } from './run-state.ts';

/** A source, and the words of it that were used. */
export type OpenSource = {
  url: string;
  title: string;
  quotes: readonly Pick<Fact, 'quote' | 'passage' | 'heading' | 'page'>[];
};

/** Opens at the quoted words. Everything is shown as text, so whatever a page wrote does nothing here. */
export function SourceDialog({
  source: { url, title, quotes },
  onClose,
}: {
  source: OpenSource;
  onClose: () => void;
}) {
  const content = useRef<HTMLDivElement>(null);
  useEffect(() => {
    content.current?.querySelector('mark')?.scrollIntoView({ block: 'center' });
  }, []);
  return (
    <Dialog title={title} onClose={onClose}>
      <div className="stack source" ref={content}>
        <p className="quiet small place">{url.startsWith('file:') ? pathOf(url) : url}</p>
        {quotes.map((each, index) => (
          <Passage key={index} quote={each} />
        ))}
        <div className="row end">
          {isWebPage(url) && (
            <a href={url} target="_blank" rel="noreferrer noopener">
              Open the page at {placeOf(url)}
            </a>
          )}
          <button type="button" className="primary" onClick={onClose}>
            Close
          </button>
        </div>
      </div>
    </Dialog>
  );
}

function Passage({ quote: each }: { quote: OpenSource['quotes'][number] }) {
  const { before, quote, after } = quoted(each);
  const where = [each.heading, each.page === undefined ? '' : `page ${each.page}`].filter(Boolean);
  return (
    <figure className="passage">
      {where.length > 0 && <figcaption className="quiet small">{where.join(', ')}</figcaption>}
      <blockquote tabIndex={0}>
        {before}
        <mark>{quote}</mark>
        {after}
      </blockquote>
      {each.passage === undefined && (
        <p className="quiet small">The surrounding text was not kept with this run.</p>
      )}
    </figure>
  );
}
