import { isNumber, wordsOf } from './words.ts';

const QUOTE_CHARACTERS_MIN = 4;
const QUOTE_MAX = 400;

/**
 * The very words of a text that a quote stands for, whatever became of its spaces, dashes and quotation marks on the way;
 * undefined when the text does not say it.
 */
export function findQuote(quote: string, text: string): string | undefined {
  const words = quote.slice(0, QUOTE_MAX).match(/[\p{L}\p{N}]+/gu) ?? [];
  if (words.join('').length < QUOTE_CHARACTERS_MIN) return undefined;
  const between = '[^\\p{L}\\p{N}]{1,12}';
  const pattern = `(?<![\\p{L}\\p{N}])${words.join(between)}(?![\\p{L}\\p{N}])[.!?%]?`;
  return new RegExp(pattern, 'iu').exec(text)?.[0];
}

/** Whether each number of a sentence is also in the text. */
export function hasNumbersOf(sentence: string, text: string): boolean {
  const numbers = wordsOf(sentence).filter(isNumber);
  const known = new Set(wordsOf(text).flatMap((word) => [word, ...word.split(/[-.,:'’]/)]));
  return numbers.every(
    (number) => known.has(number) || number.split(/[-.,:'’]/).every((part) => known.has(part)),
  );
}
