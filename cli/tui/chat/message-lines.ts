import type { SavedMessage } from '../../../src/api/management/chats.ts';
import { contentText } from '../../chat/export-chat.ts';
import { formatCount } from '../../output/format.ts';
import { line, paragraph, span, type Line, type Span } from '../render/lines.ts';
import type { Theme } from '../render/theme.ts';
import { markdownLines } from './markdown-lines.ts';

export type MessageView = {
  width: number;
  /** Whether reasoning and tool calls are shown in full. */
  isUnfolded: boolean;
  theme: Theme;
};

type Rendered = { key: string; lines: readonly Line[] };
const rendered = new WeakMap<SavedMessage, Rendered>();

/** A message is rendered once for each width. */
export function messageLines(message: SavedMessage, view: MessageView): readonly Line[] {
  const key = `${view.width} ${view.isUnfolded}`;
  const before = rendered.get(message);
  if (before?.key === key) return before.lines;
  const lines = bodyOf(message, view);
  rendered.set(message, { key, lines });
  return lines;
}

function bodyOf(message: SavedMessage, view: MessageView): readonly Line[] {
  const { role, reasoning_content: thought = '', tool_calls: calls = [] } = message;
  const text = contentText(message);
  if (role === 'tool') return foldable(`result: ${text}`, view);
  if (role === 'user') return paragraph(text, view.width);
  return [
    ...thoughtLines(thought, view),
    ...(text === '' ? [] : markdownLines(text, view.width)),
    ...calls.flatMap(({ function: called }) =>
      foldable(`calls ${called?.name ?? ''} ${called?.arguments ?? ''}`, view),
    ),
  ];
}

export function thoughtLines(thought: string, view: MessageView): readonly Line[] {
  if (thought.trim() === '') return [];
  const { glyphs } = view.theme;
  const words = formatCount(thought.trim().split(/\s+/).length, 'word');
  const mark = view.isUnfolded ? glyphs.unfolded : glyphs.folded;
  return [
    line(span(`${mark} thoughts, ${words}`, { dim: true })),
    ...(view.isUnfolded ? paragraph(thought.trim(), view.width, { dim: true }) : []),
  ];
}

/** One line, or the whole text. */
function foldable(text: string, { width, isUnfolded, theme }: MessageView): readonly Line[] {
  const { glyphs } = theme;
  const mark = `${isUnfolded ? glyphs.unfolded : glyphs.folded} `;
  if (!isUnfolded) return [line(span(mark + text, { dim: true }))];
  return paragraph(mark + text, width, { dim: true });
}

/** Who wrote it. */
export function authorOf({ role, model }: Pick<SavedMessage, 'role' | 'model'>, usual: string): Span {
  if (role === 'user') return span('You', { bold: true, color: 'cyan' });
  if (role === 'tool') return span('Tool', { bold: true });
  return span(model ?? usual, { bold: true, color: 'green' });
}
