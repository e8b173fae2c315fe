import { displayWidth } from '../../output/display-width.ts';

// eslint-disable-next-line no-control-regex -- styles and links are what it matches
const TOKENS = /\u001b\[[\d;]*m|\u001b\]8;[^\u0007\u001b]*(?:\u0007|\u001b\\)|[^\u001b]/gu;
const RESET = '\u001b[0m';
const LINK_END = '\u001b]8;;\u001b\\';

/** Splits a line with styles and links into pieces of at most this many columns, each complete in itself. */
export function cutStyled(line: string, columns: number): string[] {
  const rows: string[] = [];
  let row = '';
  let used = 0;
  let style = '';
  let link = '';
  const close = () => rows.push(row + (link === '' ? '' : LINK_END) + (style === '' ? '' : RESET));
  for (const [token] of line.matchAll(TOKENS)) {
    if (token.startsWith('\u001b[')) style = token === RESET ? '' : style + token;
    else if (token.startsWith('\u001b]')) link = token === LINK_END ? '' : token;
    else {
      const width = displayWidth(token);
      if (used > 0 && used + width > columns) {
        close();
        row = style + link;
        used = 0;
      }
      used += width;
    }
    row += token;
  }
  close();
  return rows;
}
