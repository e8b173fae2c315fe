const ONE_CELL_EACH = /^[ -~]*$/;

/** The terminal cells of a text: wide letters and emoji take two, combining marks none. */
export function displayWidth(text: string): number {
  if (ONE_CELL_EACH.test(text)) return text.length;
  let width = text.match(DRAWN_AS_EMOJI)?.length ?? 0;
  for (const character of text) width += characterWidth(character);
  return width;
}

const NO_CELL = /^[\p{Mn}\p{Me}\u200b-\u200d]/u;

/** Unicode's East Asian Width W and F. A flag consists of two letters of one cell each, and narrow kana are narrow. */
const TWO_CELLS = new RegExp(
  '^(?![\\p{RI}\\uff61-\\uffdc])' +
    '[\\p{Emoji_Presentation}\\p{sc=Tangut}\\p{sc=Nushu}\\p{sc=Hiragana}\\p{sc=Katakana}' +
    '\\u1100-\\u115f\\u2329\\u232a\\u2e80-\\u303e\\u3041-\\ua4cf\\ua960-\\ua97c\\uac00-\\ud7a3\\uf900-\\ufaff' +
    '\\ufe10-\\ufe19\\ufe30-\\ufe6f\\uff01-\\uff60\\uffe0-\\uffe6\\u{1f200}-\\u{1f265}\\u{20000}-\\u{3fffd}]',
  'u',
);

/** A symbol of one cell, followed by the selector for its two-cell emoji. */
const DRAWN_AS_EMOJI = /(?!\p{Emoji_Presentation})\p{Emoji}\ufe0f/gu;

function characterWidth(character: string): number {
  if (NO_CELL.test(character)) return 0;
  return TWO_CELLS.test(character) ? 2 : 1;
}

export function truncate(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  let kept = '';
  for (const character of text) {
    if (displayWidth(kept + character) > width - 1) break;
    kept += character;
  }
  return `${kept}…`;
}

/** Names differ at their ends as often as at their starts. */
export function truncateMiddle(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  const tailWidth = Math.floor((width - 1) / 2);
  let tail = '';
  for (const character of [...text].reverse()) {
    if (displayWidth(character + tail) > tailWidth) break;
    tail = character + tail;
  }
  return truncate(text, width - displayWidth(tail)) + tail;
}

export function pad(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - displayWidth(text)));
}
