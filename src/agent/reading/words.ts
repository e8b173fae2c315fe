const STOP_WORDS = new Set(
  (
    'a an and are as at be been but by can did do does for from had has have he her his how i if in into is ' +
    'it its many me more most much my no not of on or our she so some than that the their them then there ' +
    'these they this to was we were what when where which who whom whose why will with would you your'
  ).split(' '),
);

const WORD = /[\p{L}\p{N}]+(?:[.,:'’-][\p{L}\p{N}]+)*/gu;

/** The words of a text in lower case; numbers keep their points and dashes. */
export function wordsOf(text: string): string[] {
  return Array.from(text.toLowerCase().matchAll(WORD), ([word]) => word.replace(/['’]s$/, ''));
}

/** Without stop words. */
export function contentWords(text: string): string[] {
  return wordsOf(text).filter((word) => !STOP_WORDS.has(word));
}

/** Lets `bridges` match `bridge`: only for comparing, never for showing. */
export function stem(word: string): string {
  if (/\d/.test(word) || word.length < 4) return word;
  return word
    .replace(/ies$/, 'y')
    .replace(/(ss|sh|ch|x)es$/, '$1')
    .replace(/([^su])s$/, '$1')
    .replace(/(?<=.{3})(?:ing|ed)$/, '');
}

export const stems = (text: string): string[] => contentWords(text).map(stem);

export const sentencesOf = (text: string): string[] =>
  text.split(/(?<=[.!?])\s+|\n+/).map((sentence) => sentence.trim());

export const isNumber = (word: string): boolean => /^\d/.test(word);

/** Shared words as a share of all words, from 0 to 1. */
export function overlap(a: string, b: string): number {
  const [left, right] = [new Set(stems(a)), new Set(stems(b))];
  const shared = [...left].filter((word) => right.has(word)).length;
  const all = left.size + right.size - shared;
  return all === 0 ? 1 : shared / all;
}

/** How many of the words asked for a text has, as a share of them, from 0 to 1. */
export function coverage(question: string, text: string): number {
  const [wanted, there] = [new Set(stems(question)), new Set(stems(text))];
  return wanted.size === 0 ? 0 : [...wanted].filter((word) => there.has(word)).length / wanted.size;
}
