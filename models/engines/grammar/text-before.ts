import { characterIn, type Rules } from './rules.ts';

/**
 * Any text up to and including the first occurrence of this one. One rule for each prefix that may just have been
 * written: a character extends it, or falls back to the longest prefix that still matches.
 */
export function textBefore(end: string, rules: Rules, hint = 'before-end'): string {
  const characters = [...end];
  const alphabet = [...new Set(characters)];
  const names = characters.map((_, place) => rules.reserve(`${hint}-${place}`));
  for (const [place, name] of names.entries()) {
    const steps = alphabet.map((character) => ({
      character,
      to: follow(characters, [...characters.slice(0, place), character]),
    }));
    const elsewhere = steps.filter(({ to }) => to > 0);
    const others = `[^${elsewhere.map(({ character }) => characterIn(character)).join('')}] ${names[0]}`;
    const moves = elsewhere.map(({ character, to }) =>
      to === characters.length
        ? `[${characterIn(character)}]`
        : `[${characterIn(character)}] ${names[to] ?? ''}`,
    );
    rules.fill(name, [...moves, others].join(' | '));
  }
  return names[0] ?? '""';
}

/** The length of the longest suffix of `written` that is a prefix of the text. */
function follow(text: readonly string[], written: readonly string[]): number {
  for (let length = Math.min(text.length, written.length); length > 0; length--) {
    const tail = written.slice(written.length - length);
    if (tail.every((character, place) => character === text[place])) return length;
  }
  return 0;
}
