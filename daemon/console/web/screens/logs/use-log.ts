import { useEffect, useState } from 'react';
import type { DaemonEvent } from '../../../../../src/api/management/events.ts';
import { readEntry, type Entry } from './entry.ts';

/** As many lines as the daemon keeps for replay, and room for those that arrive while reading. */
const REPLAYED = 500;
const ENTRIES_MAX = 2_000;
/** A burst of lines is shown as one change. */
const GATHER_MS = 100;

export type Log = { entries: readonly Entry[]; missed: number };

/** The daemon's log, followed while the screen is open. The stream resumes where it broke off. */
export function useLog(): Log & { clear: () => void } {
  const [log, setLog] = useState<Log>({ entries: [], missed: 0 });
  useEffect(() => {
    const source = new EventSource(`/api/daemon/events?topics=log&replay=${REPLAYED}`);
    let number = 0;
    let missed = 0;
    let gathered: Entry[] = [];
    let timer: ReturnType<typeof setTimeout> | undefined;
    const show = () => {
      timer = undefined;
      const [added, lost] = [gathered, missed];
      gathered = [];
      missed = 0;
      setLog((log) => ({
        entries: [...log.entries, ...added].slice(-ENTRIES_MAX),
        missed: log.missed + lost,
      }));
    };
    source.onmessage = ({ data }) => {
      const event = JSON.parse(data as string) as DaemonEvent;
      if (event.topic === 'log') gathered.push(readEntry(event.line, number++));
      if (event.topic === 'gap') missed += event.missed;
      timer ??= setTimeout(show, GATHER_MS);
    };
    return () => {
      source.close();
      clearTimeout(timer);
    };
  }, []);
  return { ...log, clear: () => setLog({ entries: [], missed: 0 }) };
}
