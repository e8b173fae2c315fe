import type { Composer } from '../../prompt/editor/composer.ts';
import { layOut } from '../../prompt/editor/layout.ts';
import { sanitiseLine } from '../../output/sanitise.ts';
import { displayWidth, pad, truncate } from '../../output/display-width.ts';
import type { View } from './screen.ts';

export const PROMPT = '>>> ';
export const CONTINUED = '... ';
const CUT = ' '.repeat(PROMPT.length);

const OFFERS_MAX = 6;
const QUEUED_MAX = 3;
const ROWS_MAX = 12;
const COLUMNS_MIN = 10;

export type Parts = {
  composer: Composer;
  /** The question that is answered instead of writing a message. */
  question?: string | undefined;
  /** Messages that wait for the answer. */
  queued: readonly string[];
  status: string;
  columns: number;
  dim: (text: string) => string;
  strong: (text: string) => string;
};

/** The columns for the text of a message. */
export function textColumns(columns: number, prompt: string = PROMPT): number {
  return Math.max(COLUMNS_MIN, columns - displayWidth(prompt) - 1);
}

/** What is shown below the conversation: waiting messages, the message being written, help for it, and the status. */
export function viewOf(parts: Parts): View {
  const { columns, dim, status } = parts;
  const above = queuedLines(parts);
  const written = writtenLines(parts);
  const below = [...searchLines(parts), ...offerLines(parts)];
  const last = status === '' ? [] : [dim(truncate(status, columns - 1))];
  return {
    lines: [...above, ...written.lines, ...below, ...last],
    row: above.length + written.row,
    column: written.column,
  };
}

function queuedLines({ queued, columns, dim }: Parts): string[] {
  const shown = queued
    .slice(0, QUEUED_MAX)
    .map((text) => dim(truncate(`  next: ${sanitiseLine(text)}`, columns - 1)));
  const more = queued.length - shown.length;
  return more > 0 ? [...shown, dim(`  and ${more} more`)] : shown;
}

function writtenLines({ composer: { editor }, question, columns }: Parts): View {
  const prompt = question ?? PROMPT;
  const { rows, row, column } = layOut(editor, textColumns(columns, prompt));
  const first = Math.max(0, Math.min(row - Math.floor(ROWS_MAX / 2), rows.length - ROWS_MAX));
  const shown = rows.slice(first, first + ROWS_MAX);
  const prefix = (index: number, isFirst: boolean) => (index === 0 ? prompt : isFirst ? CONTINUED : CUT);
  return {
    lines: shown.map(({ text, isFirst }, index) => prefix(first + index, isFirst) + text),
    row: row - first,
    column: displayWidth(row === 0 ? prompt : PROMPT) + column,
  };
}

function searchLines({ composer: { search }, columns, dim }: Parts): string[] {
  if (search === undefined) return [];
  const found = search.query !== '' && search.at === -1 ? ' (not found)' : '';
  const text = `search: ${sanitiseLine(search.query)}${found} · Ctrl-R older · Enter sends · Tab edits · Ctrl-G back`;
  return [dim(truncate(text, columns - 1))];
}

function offerLines({ composer: { offers, chosen }, columns, dim, strong }: Parts): string[] {
  if (offers === undefined) return [];
  const { candidates } = offers;
  const first = Math.max(0, Math.min(chosen - OFFERS_MAX + 1, candidates.length - OFFERS_MAX));
  const shown = candidates.slice(first, first + OFFERS_MAX);
  const width = Math.max(...shown.map(({ text, label = text }) => displayWidth(label)));
  const lines = shown.map(({ text, label = text, about = '' }, index) => {
    const mark = first + index === chosen ? '> ' : '  ';
    const line = truncate(`${mark}${pad(sanitiseLine(label), width)}  ${about}`.trimEnd(), columns - 1);
    return first + index === chosen ? strong(line) : dim(line);
  });
  const more = candidates.length - first - shown.length;
  return more > 0 ? [...lines, dim(`  and ${more} more`)] : lines;
}

/** The message as it stays on the screen. */
export function asSent(text: string): string {
  return PROMPT + text.split('\n').join(`\n${CONTINUED}`);
}
