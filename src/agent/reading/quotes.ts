import { isNumber, sentencesOf, wordsOf } from './words.ts';

const QUOTE_CHARACTERS_MIN = 4;
const QUOTE_MAX = 400;
const NEAR_WORDS_MIN = 5;
const NEAR = 0.8;

/**
 * The exact words of a text that a quote stands for, ignoring differences in spaces, dashes and quotation marks;
 * undefined if the text does not contain it.
 */
export function findQuote(quote: string, text: string): string | undefined {
  return patternOf(quote)?.exec(text)?.[0];
}

/** Where the words of a quote begin in a text, at or after a position. */
export function placeOfQuote(quote: string, text: string, from = 0): number | undefined {
  const pattern = patternOf(quote, 'g');
  if (pattern === undefined) return undefined;
  pattern.lastIndex = from;
  return pattern.exec(text)?.index;
}

function patternOf(quote: string, more = ''): RegExp | undefined {
  const words = quote.slice(0, QUOTE_MAX).match(/[\p{L}\p{N}]+/gu) ?? [];
  if (words.join('').length < QUOTE_CHARACTERS_MIN) return undefined;
  const between = '[^\\p{L}\\p{N}]{1,12}';
  const pattern = `(?<![\\p{L}\\p{N}])${words.join(between)}(?![\\p{L}\\p{N}])[.!?%]?`;
  return new RegExp(pattern, `iu${more}`);
}

/** Whether each number of a sentence is also in the text. */
export function hasNumbersOf(sentence: string, text: string): boolean {
  const numbers = wordsOf(sentence).filter(isNumber);
  const known = new Set(wordsOf(text).flatMap((word) => [word, ...word.split(/[-.,:'’]/)]));
  return numbers.every(
    (number) => known.has(number) || number.split(/[-.,:'’]/).every((part) => known.has(part)),
  );
}

/** The sentence of a text that almost matches a quote: small models get a word wrong, and the text is right. */
export function nearSentence(quote: string, text: string): string | undefined {
  const words = wordsOf(quote.slice(0, QUOTE_MAX));
  if (words.length < NEAR_WORDS_MIN) return undefined;
  return sentencesOf(text).find((sentence) => {
    const others = wordsOf(sentence);
    const isNear = sharedInOrder(words, others) >= NEAR * Math.max(words.length, others.length);
    return isNear && hasNumbersOf(quote, sentence);
  });
}

/** The longest common subsequence of words. */
function sharedInOrder(left: readonly string[], right: readonly string[]): number {
  let row = new Array<number>(right.length + 1).fill(0);
  for (const word of left) {
    const next = [0];
    right.forEach((other, at) => {
      const longer = Math.max(row[at + 1] ?? 0, next[at] ?? 0);
      next.push(word === other ? (row[at] ?? 0) + 1 : longer);
    });
    row = next;
  }
  return row[right.length] ?? 0;
}
