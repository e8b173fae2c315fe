import { sanitiseLine } from '../../output/sanitise.ts';
import { displayWidth, pad, truncate } from '../../output/display-width.ts';

export type Color = 'green' | 'yellow' | 'red' | 'cyan' | 'magenta' | 'blue' | 'gray';
export type Style = {
  bold?: boolean;
  dim?: boolean;
  inverse?: boolean;
  italic?: boolean;
  underline?: boolean;
  strikethrough?: boolean;
  color?: Color;
};
export type Span = Style & { text: string };

/** One line of the screen. Frames consist of these, so that they can be computed and compared. */
export type Line = readonly Span[];

/** All displayed text passes through here, so that no text of a model or a server can control the terminal. */
export function span(text: string, style: Style = {}): Span {
  return { text: sanitiseLine(text), ...style };
}

export function line(...parts: readonly (string | Span)[]): Line {
  return parts.map((part) => (typeof part === 'string' ? span(part) : part));
}

export function widthOf(spans: Line): number {
  return spans.reduce((sum, { text }) => sum + displayWidth(text), 0);
}

export function textOf(spans: Line): string {
  return spans.map(({ text }) => text).join('');
}

/** Exactly this wide: truncated with an ellipsis, or padded. */
export function fit(spans: Line, width: number): Line {
  const fitted: Span[] = [];
  let left = width;
  for (const each of spans) {
    if (left <= 0) break;
    const text = truncate(each.text, left);
    fitted.push({ ...each, text });
    left -= displayWidth(text);
    if (text !== each.text) break;
  }
  return left > 0 ? [...fitted, { text: ' '.repeat(left) }] : fitted;
}

export function fitText(text: string, width: number, align: 'left' | 'right' | 'decimal' = 'left'): string {
  const cut = truncate(sanitiseLine(text), width);
  return align === 'left' ? pad(cut, width) : ' '.repeat(width - displayWidth(cut)) + cut;
}

/** Exactly this many lines, each exactly this wide. */
export function block(lines: readonly Line[], { width, height }: Size): Line[] {
  const shown = lines.slice(0, height).map((each) => fit(each, width));
  while (shown.length < height) shown.push(fit([], width));
  return shown;
}

export type Size = { width: number; height: number };

/** Two blocks of the same height side by side. */
export function beside(left: readonly Line[], right: readonly Line[], divider: string): Line[] {
  return left.map((each, index) => [
    ...each,
    { text: ` ${divider} `, dim: true },
    ...(right[index] ?? fit([], 0)),
  ]);
}

/** Wraps words to this width; text without spaces is cut. */
export function paragraph(text: string, width: number, style: Style = {}): Line[] {
  return text
    .split('\n')
    .flatMap((each) => wrapOne(sanitiseLine(each), width).map((part) => [span(part, style)]));
}

const TERM = /^\s*\S.*?\s{2,}(?=\S)/;

/** A term and its meaning, whose further lines are indented. */
export function definition(text: string, width: number): Line[] {
  const [term = ''] = TERM.exec(text) ?? [];
  const indent = displayWidth(term);
  if (indent === 0 || indent > width / 2) return paragraph(text, width);
  return paragraph(text.slice(term.length), width - indent).map((part, index) => [
    span(index === 0 ? term : ' '.repeat(indent)),
    ...part,
  ]);
}

function wrapOne(text: string, width: number): string[] {
  const lines: string[] = [];
  let current = '';
  let room = width;
  for (const word of text.split(/(?<=\s)/)) {
    const wordWidth = displayWidth(word);
    if (wordWidth <= room || displayWidth(word.trimEnd()) <= room) {
      current += word;
      room -= wordWidth;
      continue;
    }
    if (current !== '') lines.push(current.trimEnd());
    current = word;
    while (displayWidth(current.trimEnd()) > width) {
      const { head, rest } = cutAt(current, width);
      lines.push(head);
      current = rest;
    }
    room = width - displayWidth(current);
  }
  return [...lines, current];
}

function cutAt(text: string, width: number): { head: string; rest: string } {
  let head = '';
  for (const character of text) {
    if (displayWidth(head + character) > Math.max(width, 2)) break;
    head += character;
  }
  return { head, rest: text.slice(head.length) };
}

/** `name  value`, one line each; long values are cut. */
export function facts(entries: readonly (readonly [name: string, value: string | Span])[]): Line[] {
  const nameWidth = Math.max(0, ...entries.map(([name]) => displayWidth(name)));
  return entries.map(([name, value]) => [
    { text: `${pad(name, nameWidth)}  `, dim: true },
    typeof value === 'string' ? span(value) : value,
  ]);
}

/** The same with values on as many lines as needed. */
export function fields(
  entries: readonly (readonly [name: string, value: string | Span])[],
  width: number,
): Line[] {
  const nameWidth = Math.max(0, ...entries.map(([name]) => displayWidth(name)));
  return entries.flatMap(([name, value]) => {
    const { text, ...style } = typeof value === 'string' ? span(value) : value;
    const wrapped = paragraph(text, Math.max(8, width - nameWidth - 2), style);
    return wrapped.map((part, index) => [
      { text: `${pad(index === 0 ? name : '', nameWidth)}  `, dim: true },
      ...part,
    ]);
  });
}

export function heading(text: string): Line {
  return [span(text, { bold: true })];
}
