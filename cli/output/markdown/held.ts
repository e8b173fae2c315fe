import { BOLD, combine, DIM, ITALIC, PLAIN, STRIKE, UNDERLINE, type Piece, type Style } from './style.ts';

/** The longest text that is held back until a delimiter is closed. Unclosed delimiters are text. */
export const HELD_MAX = 400;

/** `*`, `_` and `~~` that may open a style, or `[` that may open a link: text until they are closed. */
type Opener = { node: Piece; mark: string; length: number };

export type Held = ReturnType<typeof createHeld>;

/** Text after unclosed delimiters. It is emitted once all are closed, or can no longer be. */
export function createHeld(emit: (text: string, style: Style) => void) {
  let nodes: Piece[] = [];
  let openers: Opener[] = [];

  function add(text: string, style = PLAIN): void {
    if (openers.length === 0) {
      release();
      return emit(text, style);
    }
    const last = nodes.at(-1);
    if (last?.style === style && !openers.some(({ node }) => node === last)) last.text += text;
    else nodes.push({ text, style });
    if (nodes.reduce((sum, node) => sum + node.text.length, 0) > HELD_MAX) release();
  }

  /** Unclosed delimiters become text. */
  function release(): void {
    for (const { text, style } of nodes) emit(text, style);
    nodes = [];
    openers = [];
  }

  function releaseIfClosed(): void {
    if (openers.length === 0) release();
  }

  function open(mark: string, length: number): void {
    const node = { text: mark.repeat(length), style: PLAIN };
    nodes.push(node);
    openers.push({ node, mark, length });
  }

  /** Closes the styles that a run of delimiters ends; returns how many delimiters are left. */
  function close(mark: string, length: number): number {
    let left = length;
    while (left > 0) {
      const opener = openers.slice(lastBracket() + 1).findLast((each) => each.mark === mark);
      if (opener === undefined) break;
      const used = Math.min(left, opener.length, 2);
      closeStyle(opener, used);
      left -= used;
    }
    return left;
  }

  /** Openers in between become text; a longer one keeps the rest. */
  function closeStyle(opener: Opener, used: number): void {
    const style = opener.mark === '~' ? STRIKE : used === 2 ? BOLD : ITALIC;
    paintBehind(opener, style);
    opener.length -= used;
    opener.node.text = opener.mark.repeat(opener.length);
    const place = openers.indexOf(opener);
    openers = openers.slice(0, opener.length > 0 ? place + 1 : place);
  }

  function paintBehind(opener: Opener, style: Style): void {
    for (const node of nodes.slice(nodes.indexOf(opener.node) + 1)) node.style = combine(node.style, style);
  }

  const lastBracket = () => openers.findLastIndex(({ mark }) => mark === '[');

  /** It becomes text, and so does the `!` before it. */
  function dropBracket(): void {
    const place = lastBracket();
    if (place < 0) return;
    const isImage = openers[place - 1]?.mark === '!';
    openers.splice(isImage ? place - 1 : place, isImage ? 2 : 1);
  }

  /** The text of a link, then its URL, unless they are the same. */
  function closeLink(target: string): void {
    const place = lastBracket();
    const bracket = openers[place];
    if (bracket === undefined) return;
    const inside = nodes.slice(nodes.indexOf(bracket.node) + 1);
    const image = openers[place - 1]?.mark === '!' ? openers[place - 1] : undefined;
    paintBehind(bracket, UNDERLINE);
    bracket.node.text = '';
    if (image) image.node.text = '';
    openers = openers.slice(0, image ? place - 1 : place);
    const label = inside.map(({ text }) => text).join('');
    if (label !== target) nodes.push({ text: label === '' ? target : ` (${target})`, style: DIM });
    releaseIfClosed();
  }

  const hasBracket = () => lastBracket() >= 0;
  return { add, open, close, closeLink, dropBracket, hasBracket, release, releaseIfClosed };
}
