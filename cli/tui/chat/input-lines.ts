import { basename } from 'node:path';
import { line, paragraph, span, type Line } from '../render/lines.ts';
import type { Theme } from '../render/theme.ts';
import type { ChatState } from './state.ts';

const LINES_MAX = 6;
const MARK = '> ';

/** The message that is typed: its images, and its last lines, because typing happens at the end. */
export function inputLines({ draft, isTyping, images }: ChatState, width: number, { glyphs }: Theme): Line[] {
  const attached = images.map((file) => line(span(`[image ${basename(file)}]`, { color: 'cyan' })));
  if (draft === '' && !isTyping) return [...attached, line(span(`${MARK}i types a message`, { dim: true }))];
  const text = paragraph(
    isTyping ? draft + glyphs.cursor : draft,
    width - MARK.length,
    isTyping ? {} : { dim: true },
  );
  const shown = text
    .slice(-LINES_MAX)
    .map((each, index) => [span(index === 0 ? MARK : ' '.repeat(MARK.length), { bold: isTyping }), ...each]);
  return [...attached.slice(-LINES_MAX), ...shown];
}
