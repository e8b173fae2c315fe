import { Failure } from '../../../src/base/errors.ts';

/** Letters that no decomposition turns into plain ones. */
const PLAIN: Readonly<Record<string, string>> = {
  ...{ ß: 'ss', æ: 'ae', Æ: 'Ae', œ: 'oe', Œ: 'Oe', ø: 'o', Ø: 'O', ł: 'l', Ł: 'L', đ: 'd', Đ: 'D' },
  ...{ ð: 'th', Ð: 'Th', þ: 'th', Þ: 'Th', ı: 'i' },
  ...{ '‘': "'", '’': "'", '“': '"', '”': '"', '–': ',', '—': ',', '…': '...' },
};

/** What Flite can read: ASCII, with accents removed. Signs that it cannot read become spaces. */
export function toEnglishLetters(text: string): string {
  const plain = [...text].map((sign) => PLAIN[sign] ?? sign).join('');
  return plain
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .replace(/[^\x20-\x7e]+/g, ' ');
}

/** Refuses a text that is mostly in another script, since the speech would not match the text. */
export function requireEnglishLetters(text: string): void {
  const letters = text.match(/[\p{Letter}\p{Number}]/gu) ?? [];
  const readable = letters.filter((letter) => /[a-z\d]/i.test(toEnglishLetters(letter)));
  if (readable.length * 2 > letters.length) return;
  const message =
    letters.length === 0
      ? '"input" has no letter and no digit, so there is nothing to say.'
      : 'This model reads English, but "input" is in another script.';
  throw new Failure('invalid_value', message, { param: 'input', details: { fix: 'askd list --available' } });
}
