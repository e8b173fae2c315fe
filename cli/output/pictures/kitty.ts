/** The protocol's limit. */
const PIECE_LENGTH = 4096;
/** A character that kitty replaces with a part of an image: the colour identifies the image, an accent the row. */
const PLACEHOLDER = '\u{10eeee}';
/** The accents that encode row numbers for kitty. */
const ROWS =
  '\u0305\u030d\u030e\u0310\u0312\u033d\u033e\u033f\u0346\u034a\u034b\u034c\u0350\u0351\u0352\u0357\u035b\u0363\u0364\u0365';

/**
 * The kitty graphics protocol, which Ghostty and Konsole also support: a PNG in pieces, all but the last with `m=1`.
 */
export function kittyPicture(png: Buffer, settings: string): string[] {
  const text = png.toString('base64');
  const pieces = text.match(new RegExp(`.{1,${PIECE_LENGTH}}`, 'g')) ?? [];
  return pieces.map((piece, index) => {
    const first = index === 0 ? `${settings},f=100,` : '';
    return `\u001b_G${first}q=2,m=${index === pieces.length - 1 ? 0 : 1};${piece}\u001b\\`;
  });
}

/** Lines of text in whose place kitty shows an image, so that whatever moves the text also moves the image. */
export function kittyPlaceholders(
  id: number,
  { columns, rows }: { columns: number; rows: number },
): string[] {
  return Array.from({ length: Math.min(rows, ROWS.length) }, (_, row) => {
    const cells = PLACEHOLDER + ROWS.charAt(row) + PLACEHOLDER.repeat(columns - 1);
    return `\u001b[38;5;${id}m${cells}\u001b[39m`;
  });
}
