/** SGR parameters joined with `;`: '1;36' is bold and cyan, '' is none. */
export type Style = string;

export type Piece = { text: string; style: Style };

export const PLAIN: Style = '';
export const BOLD: Style = '1';
export const DIM: Style = '2';
export const ITALIC: Style = '3';
export const UNDERLINE: Style = '4';
export const STRIKE: Style = '9';
export const CODE: Style = '36';

/** The order of the styles does not matter. */
export function combine(...styles: readonly Style[]): Style {
  const numbers = new Set(styles.flatMap((style) => style.split(';').filter(Boolean)));
  return [...numbers].sort().join(';');
}

export function repaint(pieces: readonly Piece[], style: Style): Piece[] {
  return pieces.map((piece) => ({ text: piece.text, style: combine(piece.style, style) }));
}

export type Pen = { paint: (text: string, style: Style) => void; newline: () => void };

/** Writes styled text. Each style ends with its text, so that other output is not affected. */
export function createPen(write: (text: string) => void, theme: (style: Style) => Style): Pen {
  return {
    paint(text, plain) {
      const style = theme(plain);
      if (text !== '') write(style === PLAIN ? text : `\u001b[${style}m${text}\u001b[0m`);
    },
    newline: () => write('\n'),
  };
}
