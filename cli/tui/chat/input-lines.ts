import { basename } from 'node:path';
import { displayWidth } from '../../output/display-width.ts';
import type { Composer } from '../../prompt/editor/composer.ts';
import { graphemesOf } from '../../prompt/editor/graphemes.ts';
import { layOut } from '../../prompt/editor/layout.ts';
import { line, span, type Line } from '../render/lines.ts';
import type { Theme } from '../render/theme.ts';
import type { ChatState, Queued } from './state.ts';

const LINES_MAX = 6;
const MARK = '> ';

/** The width of a message's text: beside its mark, and with room for the cursor. */
export function textColumns(width: number): number {
  return Math.max(1, width - MARK.length - 1);
}

type Input = { chat: ChatState; queued: readonly Queued[]; isArriving: boolean; width: number };

/** Waiting messages, the images of the message being typed, and its lines around the cursor. */
export function inputLines({ chat, queued, isArriving, width }: Input, { glyphs }: Theme): Line[] {
  const { composer, isTyping, images } = chat;
  const above = [
    ...queued.map(({ text }) => line(span(`queued: ${text}`, { dim: true }))),
    ...(queued.length > 0 && !isArriving
      ? [line(span('Enter sends what waits, Up edits it', { dim: true }))]
      : []),
    ...images.map((file) => line(span(`[image ${basename(file)}]`, { color: 'cyan' }))),
    ...searchLines(composer),
  ].slice(-LINES_MAX);
  if (composer.editor.text === '' && !isTyping)
    return [...above, line(span(`${MARK}i types a message`, { dim: true }))];
  const { rows, row, column } = layOut(composer.editor, textColumns(width));
  const first = Math.max(0, Math.min(row - LINES_MAX + 1, rows.length - LINES_MAX));
  const shown = rows.slice(first, first + LINES_MAX).map(({ text }, index) => {
    const isCursor = isTyping && first + index === row;
    return line(
      span(index === 0 ? MARK : ' '.repeat(MARK.length), { bold: isTyping }),
      span(isCursor ? withCursor(text, column, glyphs.cursor) : text, isTyping ? {} : { dim: true }),
    );
  });
  return [...above, ...shown];
}

function searchLines({ search }: Composer): Line[] {
  return search ? [line(span(`earlier message with: ${search.query}`, { dim: true }))] : [];
}

function withCursor(text: string, column: number, cursor: string): string {
  let at = 0;
  let used = 0;
  for (const grapheme of graphemesOf(text)) {
    if (used >= column) break;
    used += displayWidth(grapheme);
    at += grapheme.length;
  }
  return text.slice(0, at) + cursor + text.slice(at);
}
