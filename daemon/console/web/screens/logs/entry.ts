export const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const;
export type Level = (typeof LEVELS)[number];

export type Entry = {
  number: number;
  line: string;
  level: Level;
  time: string;
  message: string;
  fields: readonly [name: string, value: string][];
  /** The stack of an error, or whatever else explains it. */
  stack: string | undefined;
};

/** Lines in any other format are shown as they are. */
export function readEntry(line: string, number: number): Entry {
  const { level, time, msg, err, ...rest } = parse(line) ?? { level: 30, msg: line };
  return {
    number,
    line,
    level: LEVELS[Math.round(Number(level) / 10) - 1] ?? 'info',
    time: typeof time === 'string' ? time : '',
    message: text(msg ?? ''),
    fields: Object.entries(rest)
      .map(([name, value]): [string, string] => [name, text(value)])
      .sort(([a], [b]) => Number(isId(a)) - Number(isId(b))),
    stack: err === undefined ? undefined : stackOf(err),
  };
}

export type LogFilter = { level: Level; text: string };

/** The whole line is searched, so a request id finds everything that happened to the request. */
export function passes({ level, line }: Entry, filter: LogFilter): boolean {
  if (LEVELS.indexOf(level) < LEVELS.indexOf(filter.level)) return false;
  return filter.text === '' || line.toLowerCase().includes(filter.text.toLowerCase());
}

function parse(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && 'level' in value ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The fields that distinguish lines come first. */
function isId(name: string): boolean {
  return name.endsWith('_id');
}

function stackOf(error: unknown): string {
  const { stack } = error as { stack?: unknown };
  return text(stack ?? error);
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}
