import { agreed, nounPhrase, type Case, type Determiner } from './noun-phrases.ts';
import { contracted } from './contractions.ts';
import { inAll, type Code, type InAll } from './languages.ts';
import type { Adjective } from './adjectives.ts';
import type { Noun } from './nouns.ts';
import type { Person, Verb } from './verbs.ts';

/** What stands in a place of a pattern. */
export type Filling =
  | { noun: Noun }
  | { adjective: Adjective }
  | { verb: Verb }
  | { text: InAll<string>; person?: Person; id: string };
export type Fillings = Readonly<Record<string, Filling>>;

export const fillingId = (filling: Filling): string => {
  if ('noun' in filling) return filling.noun.id;
  if ('adjective' in filling) return filling.adjective.id;
  if ('verb' in filling) return filling.verb.id;
  return filling.id;
};

export const same = (text: string, person?: Person): Filling => ({
  text: inAll(() => text),
  id: '',
  ...(person && { person }),
});

const PERSONS: readonly string[] = ['1s', '3s', '1p', '3p', 'you'];
const DETERMINERS: readonly string[] = ['the', 'a', 'no', 'my', 'our', 'this', 'none'];
const CASES: readonly string[] = ['acc', 'dat'];

/**
 * A pattern with what stands in its places. "{my n acc}" is the noun of place n with what is mine, in the accusative where
 * there is one; "{a n a}" has the adjective of place a; "{none n many}" is many of it; "{is a n}" is the adjective as it
 * agrees with the noun; "{v s}" is the verb for the subject of place s, "{v you}" for whom one speaks to, "{v inf}" bare.
 */
export function realize(code: Code, pattern: string, fillings: Fillings, isSentence: boolean): string {
  const text = pattern.replace(/\{([^{}]+)\}/g, (_, slot: string) =>
    slotted(code, slot.split(' '), fillings),
  );
  const joined = contracted(code, text.replace(/ {2,}/g, ' ').trim());
  if (!isSentence) return joined;
  return joined.replace(
    /^([¿¡]?)(\p{Ll})/u,
    (_, sign: string, letter: string) => sign + letter.toUpperCase(),
  );
}

function slotted(code: Code, [first = '', ...rest]: readonly string[], fillings: Fillings): string {
  const of = (key: string | undefined): Filling => {
    const filling = key === undefined ? undefined : fillings[key];
    if (!filling) throw new Error(`Nothing stands in place "${key}"`);
    return filling;
  };
  if (first === 'is') return agreement(code, of(rest[0]), of(rest[1]), rest.includes('many'));
  if (DETERMINERS.includes(first) && rest.length > 0) {
    const [key, ...more] = rest;
    const place = of(key);
    if (!('noun' in place)) throw new Error(`No noun stands in place "${key}"`);
    const described = more.map((each) => fillings[each]).find((each) => each && 'adjective' in each);
    return nounPhrase(code, place.noun, {
      determiner: first as Determiner,
      isMany: more.includes('many'),
      case: (more.find((each) => CASES.includes(each)) ?? 'nom') as Case,
      ...(described && 'adjective' in described && { adjective: described.adjective }),
    });
  }
  const filling = of(first);
  if ('verb' in filling) return verbForm(code, filling.verb, rest[0] ?? 'inf', fillings);
  if ('text' in filling) return filling.text[code];
  if ('adjective' in filling) return filling.adjective.forms[code][0];
  throw new Error(`Say how the noun of place "${first}" stands`);
}

function agreement(code: Code, adjective: Filling, noun: Filling, isMany: boolean): string {
  if (!('adjective' in adjective) || !('noun' in noun))
    throw new Error('Only an adjective agrees with a noun');
  return agreed(adjective.adjective.forms[code], noun.noun.forms[code].gender, isMany);
}

function verbForm(code: Code, verb: Verb, whose: string, fillings: Fillings): string {
  if (whose === 'inf') return verb.forms[code].inf;
  if (PERSONS.includes(whose)) return verb.forms[code][whose as Person];
  const subject = fillings[whose];
  if (!subject || !('text' in subject) || !subject.person)
    throw new Error(`No subject stands in place "${whose}"`);
  return verb.forms[code][subject.person];
}
