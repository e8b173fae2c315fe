import { isWebPage, placeOf } from './places.ts';
import type { Entry, Fact, Found } from './run-state.ts';
import type { OpenSource } from './source-dialog.tsx';

type Props = { entries: readonly Entry[]; onOpen: (source: OpenSource) => void };

export function Timeline({ entries, onOpen }: Props) {
  return (
    <ol className="timeline">
      {entries.map((entry, index) => (
        <li key={index} className={entry.kind}>
          {entry.kind === 'step' && <span>{entry.message}</span>}
          {entry.kind === 'tool' && <Tool tool={entry} />}
          {entry.kind === 'fact' && <FactEntry fact={entry.fact} onOpen={onOpen} />}
        </li>
      ))}
    </ol>
  );
}

type ToolEntry = Extract<Entry, { kind: 'tool' }>;

const NAMES: Readonly<Record<ToolEntry['name'], string>> = {
  search: 'Web search',
  read: 'Page',
  docs: 'Documents',
  calculate: 'Calculation',
  code: 'Program',
};

const STATES: Readonly<Record<ToolEntry['status'], readonly [text: string, tone: string]>> = {
  start: ['running', 'live'],
  ok: ['done', 'good'],
  empty: ['nothing found', 'warn'],
  error: ['failed', 'bad'],
  rate_limited: ['too many requests', 'bad'],
  blocked: ['blocked', 'bad'],
  cancelled: ['stopped', 'warn'],
};

function Tool({ tool }: { tool: ToolEntry }) {
  const { name, status, about, result, ms, found } = tool;
  const [text, tone] = STATES[status];
  const isPage = name === 'read';
  const title = isPage ? (found[0]?.title ?? placeOf(about)) : about;
  const more = [isPage ? placeOf(found[0]?.url ?? about) : '', isPage ? withoutHost(result) : result];
  return (
    <div className="tool">
      <span className="quiet small name">{NAMES[name]}</span>
      <div>
        <span className="about">{title}</span>{' '}
        <span className="quiet small">
          {[...more, ms === undefined ? '' : duration(ms)].filter(Boolean).join(' · ')}
        </span>
        {!isPage && found.length > 0 && <Results found={found} />}
      </div>
      <span className={`badge ${tone}`}>{text}</span>
    </div>
  );
}

/** The daemon also names the host in its result, which is already shown beside it. */
function withoutHost(result: string | undefined): string | undefined {
  return result?.replace(/^\S+, (?=\d+ passage)/, '');
}

function duration(ms: number): string {
  return ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`;
}

function Results({ found }: { found: readonly Found[] }) {
  return (
    <details>
      <summary className="small">{found.length === 1 ? '1 result' : `${found.length} results`}</summary>
      <ul className="small">
        {found.map(({ url, title }, index) => (
          <li key={index}>
            {isWebPage(url) ? (
              <a href={url} title={url} target="_blank" rel="noreferrer noopener">
                {title || url}
              </a>
            ) : (
              title || url
            )}{' '}
            <span className="quiet">{placeOf(url)}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}

function FactEntry({ fact: each, onOpen }: { fact: Fact; onOpen: Props['onOpen'] }) {
  const { fact, quote, source } = each;
  const open = () => onOpen({ url: source.url, title: source.title, quotes: [each] });
  return (
    <div className="fact">
      <span>{fact}</span>
      {quote !== fact && <q className="quiet small">{quote}</q>}
      <button type="button" className="plain small" onClick={open} aria-label={`Show in ${source.title}`}>
        {source.title}
      </button>
    </div>
  );
}
