/** Template placeholders and code: `{name}`, `{{name}}`, `${name}`, `%s`, `%1$d`, `<b>`, `code`, URLs. */
const PLACEHOLDER =
  /`[^`\n]+`|\$?\{\{?[^{}\n]*\}?\}|%(?:\d+\$)?[-+0#]*\d*(?:\.\d+)?(?:[sdifuxXeEgGc]|\([\w.]+\)[sd])|<\/?[A-Za-z][^<>\n]*>|https?:\/\/[^\s<>"']+/g;

export type Piece = { isPlaceholder: boolean; text: string };

export function findPlaceholders(text: string): string[] {
  return text.match(PLACEHOLDER) ?? [];
}

/** Whether a translation has each placeholder of its source equally often, in any order. */
export function keepsPlaceholders(source: string, translation: string): boolean {
  const counts = (text: string) => findPlaceholders(text).toSorted().join('\u0000');
  return counts(source) === counts(translation);
}

/** The text and its placeholders, alternating. Joining them gives the text. */
export function splitPlaceholders(text: string): Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  for (const match of text.matchAll(PLACEHOLDER)) {
    pieces.push({ isPlaceholder: false, text: text.slice(from, match.index) });
    pieces.push({ isPlaceholder: true, text: match[0] });
    from = match.index + match[0].length;
  }
  pieces.push({ isPlaceholder: false, text: text.slice(from) });
  return pieces.filter((piece) => piece.text !== '');
}
