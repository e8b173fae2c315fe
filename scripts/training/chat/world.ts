import { KINDS } from './kinds.ts';
import { capital, coin } from './names.ts';
import type { Kind, Relation } from './relations.ts';
import { filled, first, phrase } from './phrases.ts';
import type { Making } from './sample.ts';

/** One thing that is so, as it is told and as it is asked for. */
export type Truth = {
  kind: Kind;
  relation: Relation;
  key: string;
  subject: string;
  value: string;
  sentence: string;
  question: string;
};

export const kindNamed = (name: string): Kind => {
  const kind = KINDS.find((each) => each.name === name);
  if (!kind) throw new Error(`There is no kind "${name}"`);
  return kind;
};

export function state(making: Making, kind: Kind, subject: string, key: string): Truth {
  const relation = kind.relations[key];
  if (!relation) throw new Error(`A ${kind.name} has no "${key}"`);
  const value = relation.value(making);
  const places = { s: subject, v: value };
  // How it is told and how it is asked for are kept for evaluation together: each alone is seen in training.
  const [says = '', asks = ''] = phrase(making, `(${relation.says}) / (${relation.asks})`).split(' / ');
  const sentence = capital(filled(says, places));
  const question = capital(filled(asks, places));
  return { kind, relation, key, subject, value, sentence, question };
}

/** As it is asked for when nobody has worded it. */
export const plainQuestion = ({ asks }: Relation, subject: string): string =>
  capital(filled(first(asks), { s: subject }));

/** A few things that are so, of different subjects and relations. */
export function someTruths(making: Making, count: number): Truth[] {
  const { dice } = making;
  const truths: Truth[] = [];
  while (truths.length < count) {
    const kind = dice.pick(KINDS);
    const subject = kind.subject(making);
    for (const key of dice.some(Object.keys(kind.relations), dice.int(1, 2)))
      truths.push(state(making, kind, subject, key));
  }
  return truths.slice(0, count);
}

const FILLERS: readonly ((word: string) => string)[] = [
  (word) => `The people of ${word} like to talk about it.`,
  () => 'Many visitors come in summer.',
  () => 'It is worth a walk.',
  (word) => `A road leads from there to ${word}.`,
  () => 'The weather is mostly mild.',
  () => 'More is told in the old books.',
  (word) => `There is also a café called ${word}.`,
];
/** A sentence that answers nothing. */
export const filler = (making: Making) => making.dice.pick(FILLERS)(capital(coin(making)));
