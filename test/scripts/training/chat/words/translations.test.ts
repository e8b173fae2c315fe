import { describe, expect, test } from 'vitest';
import { samplesOf } from '../../../../../scripts/training/chat/corpus.ts';
import { createDice } from '../../../../../scripts/training/chat/dice.ts';
import { RECIPES } from '../../../../../scripts/training/chat/models.ts';
import { renderer } from '../../../../../scripts/training/chat/render.ts';
import { NOT_TRANSLATED, translateSkills } from '../../../../../scripts/training/chat/skills/translate.ts';
import { CODES, LANGUAGES } from '../../../../../scripts/training/chat/words/languages.ts';
import { WORDS } from '../../../../../scripts/training/chat/words/phrasebook.ts';
import { PATTERNS } from '../../../../../scripts/training/chat/words/patterns.ts';
import { realize, same } from '../../../../../scripts/training/chat/words/sentences.ts';
import { adjectivesOf } from '../../../../../scripts/training/chat/words/adjectives.ts';
import { nounsOf } from '../../../../../scripts/training/chat/words/nouns.ts';
import { someTranslation } from '../../../../../scripts/training/chat/words/translations.ts';
import { promptFor } from '../../../../../src/inference/translation/translators.ts';

const noun = (id: string) => ({ noun: nounsOf(id)[0]! });
const adjective = (id: string) => ({ adjective: adjectivesOf(id)[0]! });
const some = (count: number, isHeld = false) => {
  const dice = createDice(11);
  return Array.from({ length: count }, () => someTranslation({ dice, isHeld }));
};

describe('a sentence agrees and contracts as its language requires', () => {
  test.each([
    ['de', '{the n} ist {a}.', 'house', 'Das Haus ist groß.'],
    ['de', 'Ich sehe {a n a acc}.', 'hat', 'Ich sehe einen großen Hut.'],
    ['de', 'Ich habe {no n acc}.', 'bag', 'Ich habe keine Tasche.'],
    ['de', 'Wir gehen zu {the n dat}.', 'church', 'Wir gehen zur Kirche.'],
    ['de', 'Es ist in {the n dat}.', 'box', 'Es ist in der Kiste.'],
    ['de', '{#} {none n a many}', 'hat', '3 große Hüte'],
    ['fr', 'Je vais à {the n}.', 'market', 'Je vais au marché.'],
    ['fr', 'Je vais à {the n}.', 'hospital', "Je vais à l'hôpital."],
    ['fr', 'À côté de {the n}.', 'museum', 'À côté du musée.'],
    ['fr', 'Je ai besoin de {a n a}.', 'bicycle', "J'ai besoin d'un grand vélo."],
    ['fr', '{this n} est {is a n}.', 'bird', 'Cet oiseau est grand.'],
    ['es', 'Voy a {the n}.', 'airport', 'Voy al aeropuerto.'],
    ['es', '{the n many} son {is a n many}.', 'mouse', 'Los ratones son grandes.'],
    ['es', '{the n} está fría.', 'water', 'El agua está fría.'],
    ['it', 'È su {the n}.', 'table', 'È sul tavolo.'],
    ['it', 'Davanti a {the n}.', 'hotel', "Davanti all'hotel."],
    ['it', '{the n many}', 'mirror', 'Gli specchi'],
    ['it', '{a n}', 'umbrella', 'Un ombrello'],
    ['it', '{my n} è {is a n}.', 'sister', 'Mia sorella è grande.'],
    ['it', '{my n} è {is a n}.', 'map', 'La mia mappa è grande.'],
    ['pt', 'Vou a {the n}.', 'station', 'Vou à estação.'],
    ['pt', 'Trabalho em {a n}.', 'bank', 'Trabalho num banco.'],
    ['pt', 'Em cima de {the n}.', 'table', 'Em cima da mesa.'],
    ['pt', '{my n} é {is a n}.', 'car', 'O meu carro é grande.'],
  ] as const)('%s "%s" with %s is "%s"', (code, pattern, id, wanted) => {
    const fillings = { n: noun(id), a: adjective('big'), '#': same('3') };
    expect(realize(code, pattern, fillings, true)).toBe(wanted);
  });

  test('names keep their elisions', () => {
    expect(realize('fr', 'je viens de {x}.', { x: same('Anna') }, true)).toBe("Je viens d'Anna.");
    expect(realize('it', 'abito a {x}.', { x: same('Anna') }, true)).toBe('Abito ad Anna.');
    expect(realize('es', '¿{x} y {y}?', { x: same('ana'), y: same('Ines') }, true)).toBe('¿Ana e Ines?');
  });
});

test('every sentence is whole in all six languages', () => {
  for (const { texts } of some(3000))
    for (const code of CODES) {
      expect(texts[code]).toMatch(/\S/);
      expect(texts[code].replace(/\{name\}|\{user\}/g, 'Ada')).not.toMatch(
        /[{}#|_]| {2}|undefined|^ | $|\bNaN\b/,
      );
    }
});

test('a text has one translation: what is asked never has two answers', () => {
  const known = new Map<string, string>();
  for (const { from, to, texts } of some(12_000)) {
    const key = `${from} ${to} ${texts[from]}`;
    expect([key, known.get(key) ?? texts[to]]).toEqual([key, texts[to]]);
    known.set(key, texts[to]);
  }
});

test('no two words used alone are written the same in one language', () => {
  for (const code of CODES) {
    const words = WORDS.map((row) => row[code]);
    expect([code, words.filter((word, index) => words.indexOf(word) !== index)]).toEqual([code, []]);
  }
});

test('there are dozens of patterns, and each language has the place of every word', () => {
  expect(PATTERNS.length).toBeGreaterThan(60);
  const placesIn = (text: string) => (text.match(/\{[^{}]*\}/g) ?? []).length;
  for (const { says } of PATTERNS) for (const code of CODES) expect(placesIn(says[code])).toBeGreaterThan(0);
});

test('one in eight sentences of a pair of languages is kept for evaluation', () => {
  const keyOf = ({ from, to, texts }: ReturnType<typeof someTranslation>) => `${from} ${to} ${texts.en}`;
  const trained = new Set(some(4000).map(keyOf));
  // Sentences that differ only in a name or a number are the same.
  const held = some(500, true).filter(({ texts }) => !/\d|[A-Z]\w+/.test(texts.en.slice(1)));
  expect(held.length).toBeGreaterThan(200);
  expect(held.map(keyOf).filter((key) => trained.has(key))).toEqual([]);
});

describe('the model made for it', () => {
  const render = renderer(RECIPES.words.template);
  const prompt = (content: string) => render({ messages: [{ role: 'user', content }], answer: '' }).prompt;
  const named = (code: 'en' | 'de') => ({ code, name: LANGUAGES[code] });

  test("reads only the languages and the text from the translation service's prompt", () => {
    const text = 'Where is "{name}"?\nIt\'s late.';
    expect(prompt(promptFor(text, { target: named('de'), source: named('en') }))).toBe(
      `<|user|>from English into German\n${text}<|im_end|><|assistant|>`,
    );
    expect(prompt(promptFor(text, { target: named('de') }))).toBe(
      `<|user|>into German\n${text}<|im_end|><|assistant|>`,
    );
  });

  test('reads everything else as it is', () => {
    expect(prompt('Translate into German: hello')).toBe(
      '<|user|>Translate into German: hello<|im_end|><|assistant|>',
    );
  });
});

test('what it has no words for is not invented, and the command for more is named', () => {
  const beyond = translateSkills.find(({ name }) => name === 'translate-beyond')!;
  const samples = [...samplesOf(beyond, 'held', 200)];
  expect(new Set(samples.map(({ answer }) => answer))).toEqual(new Set([NOT_TRANSLATED]));
  expect(NOT_TRANSLATED).toContain('askd pull svc-translate-v1');
});
