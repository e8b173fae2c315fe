import { sanitise } from '../../output/sanitise.ts';

/** A longer paste is shown as a single mark, and is sent in full. */
const PASTE_LINES_MAX = 10;
const PASTE_LENGTH_MAX = 2000;

/** One private-use character stands for each folded paste. Nobody types these: they are removed from typed text. */
const FIRST_MARK = 0x100000;
const MARKS = /[\u{100000}-\u{10fffd}]/gu;

/** Text from a keyboard or a clipboard: line breaks as `\n`, without control characters and marks. */
export function cleanInput(text: string): string {
  return sanitise(text.replace(/\r\n?/g, '\n')).replace(MARKS, '');
}

export function isLongPaste(text: string): boolean {
  return text.length > PASTE_LENGTH_MAX || countLines(text) > PASTE_LINES_MAX;
}

export function markOf(index: number): string {
  return String.fromCodePoint(FIRST_MARK + index);
}

/** With each mark replaced by what was pasted. */
export function unfold(text: string, pastes: readonly string[]): string {
  return text.replace(MARKS, (mark) => pastes[indexOf(mark)] ?? '');
}

/** With each mark replaced by its label. */
export function withLabels(text: string, pastes: readonly string[]): string {
  return text.replace(MARKS, (mark) => labelOf(mark, pastes) ?? '');
}

/** `[pasted 1,200 lines]`; undefined for anything that is not a mark. */
export function labelOf(grapheme: string, pastes: readonly string[]): string | undefined {
  const index = indexOf(grapheme);
  if (index < 0) return undefined;
  const paste = pastes[index] ?? '';
  const lines = countLines(paste);
  const size =
    lines > 1 ? `${lines.toLocaleString('en')} lines` : `${paste.length.toLocaleString('en')} characters`;
  return `[pasted ${size}]`;
}

function indexOf(mark: string): number {
  return (mark.codePointAt(0) ?? 0) - FIRST_MARK;
}

function countLines(text: string): number {
  let lines = 1;
  const end = text.endsWith('\n') ? text.length - 1 : text.length;
  for (let at = text.indexOf('\n'); at !== -1 && at < end; at = text.indexOf('\n', at + 1)) lines += 1;
  return lines;
}
