import { createMarkdownOn } from '../../output/markdown/markdown.ts';
import type { Pen, Piece, Style as Sgr } from '../../output/markdown/style.ts';
import { appendPiece, cutLine } from '../../output/markdown/wrapper.ts';
import { createStreamSanitiser } from '../../output/sanitise.ts';
import { span, type Line, type Style } from '../render/lines.ts';

const STYLES: Readonly<Record<string, Style>> = {
  '1': { bold: true },
  '2': { dim: true },
  '3': { italic: true },
  '4': { underline: true },
  '9': { strikethrough: true },
  '31': { color: 'red' },
  '32': { color: 'green' },
  '33': { color: 'yellow' },
  '34': { color: 'blue' },
  '35': { color: 'magenta' },
  '36': { color: 'cyan' },
  '90': { color: 'gray' },
};

/** Markdown as lines of the screen, even while it arrives: a complete line is not rendered again. */
export function createMarkdownLines(width: number) {
  const finished: Line[] = [];
  let open: Piece[] = [];
  const pen: Pen = {
    paint: (text, style) => appendPiece(open, text, style),
    newline() {
      finished.push(...toLines(open, width));
      open = [];
    },
  };
  const markdown = createMarkdownOn(pen, () => width);
  const sanitiser = createStreamSanitiser();
  return {
    push: (text: string): void => markdown.push(sanitiser.push(text)),
    end(): void {
      markdown.push(sanitiser.end());
      markdown.end();
    },
    lines: (): readonly Line[] => (open.length === 0 ? finished : [...finished, ...toLines(open, width)]),
  };
}

/** A complete text. */
export function markdownLines(text: string, width: number): readonly Line[] {
  const markdown = createMarkdownLines(width);
  markdown.push(text);
  markdown.end();
  return markdown.lines();
}

function toLines(pieces: readonly Piece[], width: number): Line[] {
  return cutLine(pieces, width).map((part) => part.map(({ text, style }) => span(text, styleOf(style))));
}

function styleOf(sgr: Sgr): Style {
  return Object.assign({}, ...sgr.split(';').map((each) => STYLES[each] ?? {})) as Style;
}
