import type { Pty } from '../../terminal/pty.ts';

/** What a terminal showed, in asciinema's format (asciicast v2): the time in seconds, and the output. */
export type Cast = {
  columns: number;
  rows: number;
  events: readonly (readonly [seconds: number, output: string])[];
};

/** Everything that a pseudo-terminal writes from now on, until the returned function is called. */
export function recordPty(pty: Pick<Pty, 'onOutput' | 'screen'>): () => Cast {
  const events: [number, string][] = [];
  const beganAt = performance.now();
  const stop = pty.onOutput((part) => events.push([(performance.now() - beganAt) / 1000, part]));
  return () => {
    stop();
    return { columns: pty.screen.cols, rows: pty.screen.rows, events };
  };
}

/** A header, then an event on each line. */
export function toAsciicast({ columns, rows, events }: Cast, title: string): string {
  const lines = [
    { version: 2, width: columns, height: rows, title },
    ...events.map(([seconds, output]) => [Number(seconds.toFixed(3)), 'o', output]),
  ];
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

export function fromAsciicast(text: string): Cast & { title: string } {
  const [header = '{}', ...lines] = text.trimEnd().split('\n');
  const { width, height, title } = JSON.parse(header) as { width: number; height: number; title: string };
  const events = lines.map((line) => JSON.parse(line) as [number, string, string]);
  return {
    title,
    columns: width,
    rows: height,
    events: events.filter(([, kind]) => kind === 'o').map(([seconds, , output]) => [seconds, output]),
  };
}

/** Without what was on the terminal before its screen was first cleared. */
export function fromCleared({ columns, rows, events }: Cast): Cast {
  const begin = Math.max(
    0,
    events.findIndex(([, output]) => output.includes(CLEARED)),
  );
  const [[beganAt, first] = [0, '']] = [events[begin]];
  const rest = events.slice(begin + 1).map(([seconds, output]) => [seconds - beganAt, output] as const);
  return { columns, rows, events: [[0, first.slice(Math.max(0, first.indexOf(CLEARED)))], ...rest] };
}

const CLEARED = '\u001b[H\u001b[2J';
