import { displayWidth } from '../display-width.ts';
import { type Pen, type Piece, type Style } from './style.ts';

export type Wrapper = ReturnType<typeof createWrapper>;

/**
 * Wraps words as they arrive, without redrawing: a word is shown when it is complete. A word longer than a line is
 * left to the terminal, so that it can be copied.
 */
export function createWrapper(pen: Pen, columns: () => number) {
  let column = 0;
  let hanging: readonly Piece[] = [];
  let gap: Piece[] = [];
  let word: Piece[] = [];
  let isLong = false;

  const put = (pieces: readonly Piece[]) => {
    for (const { text, style } of pieces) pen.paint(text, style);
    column += widthOf(pieces);
  };
  const breakLine = () => {
    pen.newline();
    column = 0;
    put(hanging);
  };
  const placeWord = () => {
    if (word.length === 0) return;
    const hasText = column > widthOf(hanging);
    const fits = column + widthOf(gap) + widthOf(word) <= columns();
    if (hasText && !fits) breakLine();
    else put(gap);
    put(word);
    gap = [];
    word = [];
  };
  const endWord = () => {
    placeWord();
    if (isLong) column = ((column - 1) % columns()) + 1;
    isLong = false;
  };

  return {
    /** The prefix of a line, and of its continuation lines. */
    begin(prefix: readonly Piece[], hangingPrefix: readonly Piece[]) {
      column = 0;
      put(prefix);
      hanging = hangingPrefix;
    },
    add(character: string, style: Style) {
      if (character === ' ' || character === '\t') {
        endWord();
        appendPiece(gap, ' ', style);
        return;
      }
      const width = displayWidth(character);
      if (width === 2) endWord();
      appendPiece(word, character, style);
      isLong ||= widthOf(word) > columns() - widthOf(hanging);
      if (isLong) placeLong();
      else if (width === 2) endWord();
    },
    endLine() {
      endWord();
      gap = [];
      hanging = [];
      pen.newline();
      column = 0;
    },
    endWord,
  };

  function placeLong(): void {
    if (gap.length > 0) placeWord();
    else {
      put(word);
      word = [];
    }
  }
}

export function widthOf(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, { text }) => sum + displayWidth(text), 0);
}

export function appendPiece(pieces: Piece[], text: string, style: Style): void {
  const last = pieces.at(-1);
  if (last?.style === style) last.text += text;
  else pieces.push({ text, style });
}

/** Wraps text to a width; a longer word is cut. */
export function wrapPieces(pieces: readonly Piece[], width: number): Piece[][] {
  const lines: Piece[][] = [[]];
  const pen: Pen = {
    paint: (text, style) => appendPiece(lines.at(-1) ?? [], text, style),
    newline: () => void lines.push([]),
  };
  const wrapper = createWrapper(pen, () => width);
  for (const { text, style } of pieces) for (const character of text) wrapper.add(character, style);
  wrapper.endWord();
  return lines.flatMap((line) => cutLine(line, width));
}

/** Cut where the line is full, even within a word. */
export function cutLine(line: readonly Piece[], width: number): Piece[][] {
  const cut: Piece[][] = [[]];
  let used = 0;
  for (const { text, style } of line)
    for (const character of text) {
      used += displayWidth(character);
      if (used > width) {
        cut.push([]);
        used = displayWidth(character);
      }
      appendPiece(cut.at(-1) ?? [], character, style);
    }
  return cut;
}
