import { sanitise, sanitiseLine } from '../../output/sanitise.ts';

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const;
export type LogLevelName = (typeof LOG_LEVELS)[number];

/** pino's level numbers: 10 for trace, up to 60 for fatal. */
export function levelNumber(name: LogLevelName): number {
  return (LOG_LEVELS.indexOf(name) + 1) * 10;
}

export type LogEntry = { level: number; time?: unknown; msg?: unknown; err?: unknown } & Record<
  string,
  unknown
>;

export function parseLogLine(line: string): LogEntry | undefined {
  try {
    const entry: unknown = JSON.parse(line);
    const levelled =
      typeof entry === 'object' && entry !== null && 'level' in entry && typeof entry.level === 'number';
    return levelled ? (entry as LogEntry) : undefined;
  } catch {
    return undefined;
  }
}

/** `2026-01-31 12:00:00.000  info   message  key=value` in local time; the stack of an error follows. */
export function formatLogEntry({ level, time, msg, err, ...fields }: LogEntry): string {
  const name = LOG_LEVELS[Math.round(level / 10) - 1] ?? String(level);
  const details = Object.entries(fields).map(([key, value]) => `${key}=${formatValue(value)}`);
  const line = sanitiseLine(
    [localTime(time), name.padEnd(5), textOf(msg), ...details].filter(Boolean).join('  '),
  );
  return err === undefined ? line : `${line}\n${indent(sanitise(stackOf(err)))}`;
}

export function stackOf(err: unknown): string {
  const stack = typeof err === 'object' && err !== null && 'stack' in err ? err.stack : undefined;
  return typeof stack === 'string' ? stack : formatValue(err);
}

function indent(text: string): string {
  return text.replace(/^/gm, '    ');
}

function localTime(time: unknown): string {
  const date = new Date(typeof time === 'number' || typeof time === 'string' ? time : NaN);
  if (Number.isNaN(date.getTime())) return '-';
  const offsetMs = date.getTimezoneOffset() * 60_000;
  return new Date(date.getTime() - offsetMs).toISOString().slice(0, -1).replace('T', ' ');
}

function formatValue(value: unknown): string {
  return typeof value === 'string' && /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
