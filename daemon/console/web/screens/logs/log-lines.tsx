import { memo, useEffect, useRef } from 'react';
import type { Entry } from './entry.ts';

const NEAR_END_PX = 60;

type Props = {
  entries: readonly Entry[];
  isPaused: boolean;
  /** Shows everything that happened to one request. */
  onRequest: (id: string) => void;
};

/** Follows the end while scrolled to the end. */
export function LogLines({ entries, isPaused, onRequest }: Props) {
  const list = useRef<HTMLDivElement>(null);
  const follows = useRef(true);
  useEffect(() => {
    if (follows.current && !isPaused && list.current) list.current.scrollTop = list.current.scrollHeight;
  }, [entries, isPaused]);
  return (
    <div
      ref={list}
      className="log-lines"
      tabIndex={0}
      role="region"
      aria-label="Lines of the log"
      onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
        follows.current = scrollHeight - scrollTop - clientHeight < NEAR_END_PX;
      }}
    >
      {entries.length === 0 && <p className="quiet">No line passes the filter.</p>}
      {entries.map((entry) => (
        <LogLine key={entry.number} entry={entry} onRequest={onRequest} />
      ))}
    </div>
  );
}

const LogLine = memo(function LogLine({ entry, onRequest }: { entry: Entry } & Pick<Props, 'onRequest'>) {
  const { level, time, message, fields, stack } = entry;
  return (
    <div className={`log-line ${level}`}>
      <time className="quiet" dateTime={time} title={time}>
        {clock(time)}
      </time>
      <span className="log-level">{level}</span>
      <div className="log-text">
        <span className="log-message">{message}</span>
        {fields.map(([name, value]) => (
          <Field key={name} name={name} value={value} onRequest={onRequest} />
        ))}
        {stack !== undefined && <pre tabIndex={0}>{stack}</pre>}
      </div>
    </div>
  );
});

/** Fields of a request that need no name beside their value. */
const BARE = new Set(['method', 'path', 'status']);

function Field({ name, value, onRequest }: { name: string; value: string } & Pick<Props, 'onRequest'>) {
  if (name === 'request_id') {
    return (
      <button
        type="button"
        className="log-request"
        title="Show all lines of this request"
        onClick={() => onRequest(value)}
      >
        {value}
      </button>
    );
  }
  if (name === 'simulated') return <span className="badge warn log-field">simulated: {value}</span>;
  return (
    <span className="log-field">
      {!BARE.has(name) && <span className="quiet">{name}=</span>}
      {value}
    </span>
  );
}

function clock(time: string): string {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return '';
  return `${date.toTimeString().slice(0, 8)}.${String(date.getMilliseconds()).padStart(3, '0')}`;
}
