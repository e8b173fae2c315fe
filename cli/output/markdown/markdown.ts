import { createHighlighter, type Highlighter } from './highlight.ts';
import { createInline } from './inline.ts';
import { readLineStart, takeQuotes, type TextStart, type WholeStart } from './line-start.ts';
import { combine, createPen, DIM, PLAIN, type Pen, type Piece, type Style } from './style.ts';
import { drawLines, isTable, renderTableLines } from './table.ts';
import { themed, type Theme } from './themes.ts';
import { createWrapper, widthOf } from './wrapper.ts';

/** A longer table is shown in parts, so that nobody has to wait for its end. */
const TABLE_ROWS_HELD_MAX = 100;

const RULE_WIDTH = 40;

export type Markdown = { push: (text: string) => void; end: () => void };

type Fence = { mark: string; quotes: readonly Piece[]; highlight: Highlighter };
type HeldTable = { quotes: readonly Piece[]; lines: string[] };

/**
 * Renders Markdown on a terminal as it arrives. Nothing is redrawn: the result is the same however the text is
 * chunked.
 */
export function createMarkdown(
  write: (text: string) => void,
  columns: () => number,
  theme: Theme = 'terminal',
): Markdown {
  const pen = createPen(write, (style) => themed(style, theme));
  return createMarkdownOn(pen, columns);
}

/** The same for a screen that keeps its lines. */
export function createMarkdownOn(pen: Pen, columns: () => number): Markdown {
  const wrapper = createWrapper(pen, columns);
  let style: Style = PLAIN;
  const inline = createInline((text, each) => {
    for (const character of text) wrapper.add(character, combine(style, each));
  });

  /** A line whose kind is not known yet. */
  let line = '';
  let isText = false;
  let fence: Fence | undefined;
  let table: HeldTable | undefined;

  function add(character: string): void {
    if (character === '\n') return endLine();
    if (isText) return inline.add(character);
    line += character;
    const start = fence ? undefined : readLineStart(line, false);
    if (start?.kind === 'text') beginText(start);
  }

  function beginText(start: TextStart): void {
    showTable();
    isText = true;
    line = '';
    style = start.style;
    wrapper.begin(start.prefix, start.hanging);
    for (const character of start.rest) inline.add(character);
  }

  function endText(): void {
    inline.end();
    wrapper.endLine();
    isText = false;
  }

  function endLine(): void {
    if (isText) return endText();
    const whole = line;
    line = '';
    if (fence) return endCodeLine(fence, whole);
    const start = readLineStart(whole, true);
    if (start?.kind === 'row') return holdRow(start);
    showTable();
    if (start?.kind === 'fence') openFence(start);
    else if (start?.kind === 'rule') drawRule(pen, start.quotes, columns());
    else if (start?.kind === 'text') {
      beginText(start);
      endText();
    }
  }

  function openFence({ quotes, rest }: WholeStart): void {
    const [, mark = '', info = ''] = /^[ \t]*(`{3,}|~{3,})(.*)$/.exec(rest) ?? [];
    drawLines(pen, quotes, [[{ text: rest, style: DIM }]]);
    // ```like this``` on one line is not a block.
    if (mark.startsWith('`') && info.includes('`')) return;
    fence = { mark, quotes, highlight: createHighlighter(info) };
  }

  function endCodeLine({ mark, quotes, highlight }: Fence, whole: string): void {
    const { rest } = takeQuotes(whole, quotes.length);
    const found = /^[ \t]*(`{3,}|~{3,})[ \t]*$/.exec(rest)?.[1] ?? '';
    const isClosed = found.startsWith(mark);
    if (isClosed) fence = undefined;
    drawLines(pen, quotes, [isClosed ? [{ text: rest, style: DIM }] : highlight(rest)]);
  }

  function holdRow({ quotes, rest }: WholeStart): void {
    if (table && table.quotes.length !== quotes.length) showTable();
    table ??= { quotes, lines: [] };
    table.lines.push(rest);
    if (table.lines.length >= TABLE_ROWS_HELD_MAX) showTable();
  }

  function showTable(): void {
    if (table === undefined) return;
    const { quotes, lines } = table;
    table = undefined;
    if (isTable(lines)) drawLines(pen, quotes, renderTableLines(lines, columns() - widthOf(quotes)));
    else for (const each of lines) showRowAsText(quotes, each);
  }

  function showRowAsText(quotes: readonly Piece[], row: string): void {
    style = PLAIN;
    wrapper.begin(quotes, quotes);
    for (const character of row) inline.add(character);
    endText();
  }

  let half = '';
  return {
    push(text) {
      // A surrogate pair may be split between chunks.
      const whole = (half + text).replace(/[\ud800-\udbff]$/, '');
      half = (half + text).slice(whole.length);
      for (const character of whole) add(character);
    },
    /** Shows what was held back, and leaves the cursor at the start of a line. */
    end() {
      if (half !== '') add(half);
      half = '';
      if (isText || line !== '') endLine();
      showTable();
      fence = undefined;
    },
  };
}

function drawRule(pen: Pen, quotes: readonly Piece[], columns: number): void {
  drawLines(pen, quotes, [[{ text: '─'.repeat(Math.min(RULE_WIDTH, columns)), style: DIM }]]);
}

/** A complete text. */
export function renderMarkdown(text: string, columns: number): string {
  let shown = '';
  const markdown = createMarkdown(
    (part) => void (shown += part),
    () => columns,
  );
  markdown.push(text);
  markdown.end();
  return shown.trimEnd();
}
