import type { Readable, Writable } from 'node:stream';
import { sanitise } from './sanitise.ts';
import { wrapText } from './wrap.ts';

/** The standard streams. Tests pass their own. */
export type Io = { stdin: TerminalInput; stdout: TerminalOutput; stderr: TerminalOutput };
export type TerminalInput = Readable & { isTTY?: boolean };
export type TerminalOutput = Writable & { isTTY?: boolean; columns?: number };

/** A terminal of unknown width reports none, or zero. */
export function columnsOf({ columns = 0 }: TerminalOutput): number {
  return columns > 0 ? columns : 80;
}

export type OutputOptions = {
  json: boolean;
  quiet: boolean;
  color: boolean;
  plain?: boolean;
  links?: boolean;
};

const STYLES = { bold: ['\u001b[1m', '\u001b[22m'], red: ['\u001b[31m', '\u001b[39m'] } as const;

/** Colours are for terminals only. */
export function paint({ isTTY }: TerminalOutput, style: keyof typeof STYLES, text: string): string {
  return isTTY ? STYLES[style].join(text) : text;
}

export type Output = ReturnType<typeof createOutput>;

/** stdout is for data, stderr for messages. */
export function createOutput(
  { stdout, stderr }: Io,
  { json, quiet, color, plain = false, links = false }: OutputOptions,
) {
  return {
    json,
    quiet,
    plain,
    /** The screen's width; infinite for a pipe, where nothing may be cut. */
    width: stdout.isTTY ? Math.max(40, columnsOf(stdout)) : Infinity,
    /** Prints the command's result: one JSON document, or text for people. */
    result(document: unknown, text: () => string) {
      stdout.write(json ? `${JSON.stringify(document, null, 2)}\n` : `${text()}\n`);
    },
    line: (text: string) => void stdout.write(`${text}\n`),
    write: (text: string) => void stdout.write(text),
    /** Optional messages, hidden by --quiet. */
    note: (text: string) => {
      if (!quiet) stderr.write(`${wrapped(text, stderr)}\n`);
    },
    /** Messages that are shown even with --quiet. */
    talk: (text: string) => void stderr.write(`${wrapped(text, stderr)}\n`),
    /** Whether text may be styled. */
    styled: color && !plain && stdout.isTTY === true,
    /** Whether the terminal shows hyperlinks. */
    links: links && !plain && stdout.isTTY === true,
    /** Styles the titles of a table. */
    header: (text: string) => (color ? paint(stdout, 'bold', text) : text),
  };
}

/** Wrapped between words, because a terminal breaks lines inside them. */
export function wrapped(text: string, stream: TerminalOutput, indent = ''): string {
  if (stream.isTTY !== true) return text;
  return sanitise(text)
    .split('\n')
    .flatMap((line) => wrapText(line, columnsOf(stream) - indent.length))
    .join(`\n${indent}`);
}

/** Resolves when all output has been written, or its stream has failed. */
export async function flush({ stdout, stderr }: Io): Promise<void> {
  await Promise.all(
    [stdout, stderr].map((stream) => new Promise<void>((resolve) => settleWrites(stream, resolve))),
  );
}

function settleWrites(stream: TerminalOutput, resolve: () => void): void {
  if (stream.destroyed || stream.writableEnded) setImmediate(resolve);
  else stream.write('', () => setImmediate(resolve));
}
