import { GIVEN_NAMES, isHeldText, properName } from '../names.ts';
import type { Making } from '../sample.ts';
import { CODES, inAll, type Code, type InAll } from './languages.ts';
import { FRAGMENTS, PATTERNS, type Pattern, type Place } from './patterns.ts';
import { PHRASES, WORDS } from './phrasebook.ts';
import { fillingId, realize, same, type Filling } from './sentences.ts';

export type Pair = { from: Code; to: Code };
export type Translation = Pair & { texts: InAll<string>; isWord?: boolean };

/** What programs put into texts, in the place of a name. */
const PLACEHOLDERS = ['{name}', '{user}', '%s', '<b>Ada</b>'];

export function somePair({ dice }: Making): Pair {
  const [from, to] = dice.some(CODES, 2) as [Code, Code];
  return { from, to };
}

const SHARES = { sentence: 0.52, part: 0.08, phrase: 0.18, word: 0.22 };
const KINDS = Object.keys(SHARES) as (keyof typeof SHARES)[];
const MADE_OF_PARTS = ['sentence', 'part'];

/**
 * A sentence, or a part of one, in all six languages. One in eight sentences of each pair of languages is held out; a
 * phrase or a word cannot be derived, so all of those are trained.
 */
export function someTranslation(making: Making): Translation {
  const { dice, isHeld } = making;
  for (;;) {
    let left = dice.random();
    const kind = KINDS.find((each) => (left -= SHARES[each]) <= 0) ?? 'sentence';
    const pair = somePair(making);
    const { key, texts } = made(making, kind);
    const isKept = MADE_OF_PARTS.includes(kind) && isHeldText(`${key} ${pair.from} ${pair.to}`);
    if (isKept === isHeld) return { ...pair, texts, isWord: kind === 'word' };
  }
}

type Made = { key: string; texts: InAll<string> };

function made(making: Making, kind: keyof typeof SHARES): Made {
  const { dice } = making;
  if (kind === 'word') return whole(dice.pick(WORDS));
  if (kind === 'sentence') return fromPattern(making, PATTERNS, true);
  if (kind === 'part') return fromPattern(making, FRAGMENTS, false);
  const number = String(dice.int(2, 99));
  const { key, texts } = whole(dice.pick(PHRASES));
  return { key, texts: inAll((code) => texts[code].replace('#', number)) };
}

const whole = (texts: InAll<string>): Made => ({ key: texts.en, texts });

function fromPattern(making: Making, patterns: readonly Pattern[], isSentence: boolean): Made {
  for (;;) {
    const pattern = weighted(making, patterns);
    const entries = Object.entries(pattern.places).map(
      ([letter, place]) => [letter, someFilling(making, place)] as const,
    );
    const fillings = Object.fromEntries(entries);
    const ids = entries.map(([, filling]) => fillingId(filling));
    // Nothing lies beside itself.
    if (fillings['m'] && fillings['n'] && fillingId(fillings['m']) === fillingId(fillings['n'])) continue;
    const texts = inAll((code) => realize(code, pattern.says[code], fillings, isSentence));
    return { key: `${pattern.says.en} ${ids.join(' ')}`, texts };
  }
}

function weighted({ dice }: Making, patterns: readonly Pattern[]): Pattern {
  const total = patterns.reduce((sum, { weight }) => sum + weight, 0);
  let left = dice.random() * total;
  const found = patterns.find(({ weight }) => (left -= weight) <= 0) ?? patterns[0];
  if (!found) throw new Error('There are no patterns');
  return found;
}

function someFilling(making: Making, place: Place): Filling {
  const { dice } = making;
  if (place === 'number') return same(String(dice.int(2, 99)));
  if (place === 'hour') return same(String(dice.int(2, 12)));
  if (place === 'town') return same(properName(making));
  if (place === 'name') return same(someName(making), '3s');
  return dice.pick(place);
}

export function someName(making: Making): string {
  const { dice } = making;
  if (dice.chance(0.03)) return dice.pick(PLACEHOLDERS);
  return dice.chance(0.5) ? properName(making) : dice.pick(GIVEN_NAMES);
}
