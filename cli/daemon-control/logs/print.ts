import type { Context } from '../../context.ts';
import { followLines, readTail } from './file.ts';
import { formatLogEntry, levelNumber, parseLogLine, type LogEntry, type LogLevelName } from './line.ts';
import { sanitiseLine } from '../../output/sanitise.ts';

type PrintOptions = { follow?: true; lines?: number; level?: LogLevelName; since?: number };

const LINES = 50;

export async function printLogs({ paths, output, signal }: Context, options: PrintOptions): Promise<void> {
  const passes = filterOf(options);
  const print = (line: string) => output.line(output.json ? document(line) : pretty(line));
  const tail = readTail(paths.log, options.lines ?? (options.since === undefined ? LINES : Infinity), passes);
  if (tail.position.inode === undefined)
    output.note(`${paths.log} does not exist yet. The daemon creates it on its first start: askd up`);
  tail.lines.forEach(print);
  if (!options.follow) return;
  for await (const line of followLines(paths.log, tail.position, signal)) if (passes(line)) print(line);
}

/** A line that is not a log entry, such as a crash may leave, is always shown. */
function filterOf({ level, since = -Infinity }: PrintOptions): (line: string) => boolean {
  const least = level === undefined ? 0 : levelNumber(level);
  return (line) => {
    const entry = parseLogLine(line);
    if (entry === undefined) return true;
    return entry.level >= least && !(timeOf(entry) < since);
  };
}

function timeOf({ time }: LogEntry): number {
  return typeof time === 'number' ? time : Date.parse(String(time));
}

function document(line: string): string {
  return parseLogLine(line) === undefined ? JSON.stringify({ msg: line }) : line;
}

function pretty(line: string): string {
  const entry = parseLogLine(line);
  return entry === undefined ? sanitiseLine(line) : formatLogEntry(entry);
}
