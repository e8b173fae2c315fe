import { useDeferredValue, useState } from 'react';
import { CopyButton } from '../../parts/copy-button.tsx';
import { LEVELS, passes, type Entry, type Level, type LogFilter } from './entry.ts';
import { LogLines } from './log-lines.tsx';
import { useLog } from './use-log.ts';
import './logs.css';

export function Logs() {
  const { entries, missed, clear } = useLog();
  const [filter, setFilter] = useState<LogFilter>({ level: 'info', text: '' });
  const [held, setHeld] = useState<readonly Entry[]>();
  const applied = useDeferredValue(filter);
  const shown = (held ?? entries).filter((entry) => passes(entry, applied));
  return (
    <>
      <div className="row apart">
        <h1>Logs</h1>
        <div className="row">
          <button type="button" onClick={() => setHeld(held ? undefined : entries)}>
            {held ? 'Resume' : 'Pause'}
          </button>
          <button type="button" onClick={clear}>
            Clear
          </button>
          <CopyButton text={() => toText(shown)} />
          <button type="button" onClick={() => download(shown)}>
            Download
          </button>
        </div>
      </div>
      <Filter filter={filter} onChange={setFilter} />
      <section className="card log-card">
        <LogLines
          entries={shown}
          isPaused={held !== undefined}
          onRequest={(text) => setFilter({ level: 'trace', text })}
        />
        <p className="quiet small" role="status">
          {shown.length} of {entries.length} lines
          {held && `, paused; ${newer(entries, held)} newer`}
          {missed > 0 && `, ${missed} lines missed while the daemon was not reachable`}
        </p>
      </section>
    </>
  );
}

function Filter({ filter, onChange }: { filter: LogFilter; onChange: (filter: LogFilter) => void }) {
  return (
    <div className="row log-filter">
      <label className="row">
        <span className="quiet small">Level</span>
        <select
          className="inline"
          value={filter.level}
          onChange={({ target }) => onChange({ ...filter, level: target.value as Level })}
        >
          {LEVELS.map((level) => (
            <option key={level} value={level}>
              {level === 'trace' ? 'all' : `${level} and above`}
            </option>
          ))}
        </select>
      </label>
      <label className="grow">
        <span className="hidden">Filter</span>
        <input
          type="search"
          placeholder="Filter by text, path or request id"
          value={filter.text}
          onChange={({ target }) => onChange({ ...filter, text: target.value })}
        />
      </label>
    </div>
  );
}

function newer(entries: readonly Entry[], held: readonly Entry[]): number {
  return Math.max(0, (entries.at(-1)?.number ?? 0) - (held.at(-1)?.number ?? 0));
}

function download(entries: readonly Entry[]): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([toText(entries)], { type: 'application/jsonl' }));
  link.download = 'askd-log.jsonl';
  link.click();
  URL.revokeObjectURL(link.href);
}

function toText(entries: readonly Entry[]): string {
  return entries.map(({ line }) => `${line}\n`).join('');
}
