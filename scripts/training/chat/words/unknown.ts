import { readFileSync } from 'node:fs';
import { packagedFile } from '../../../../src/base/paths.ts';
import { capital, coin, isHeldText } from '../names.ts';
import { phrase } from '../phrases.ts';
import type { Making } from '../sample.ts';
import { ADJECTIVES } from './adjectives.ts';
import { CODES, inAll, type Code, type InAll } from './languages.ts';
import { NOUNS } from './nouns.ts';
import { PATTERNS } from './patterns.ts';
import { PHRASES, WORDS } from './phrasebook.ts';
import { CITIES, COUNTRIES, DAYS, WEEKLY } from './proper.ts';
import { VERBS } from './verbs.ts';

const wordsIn = (text: string) => text.toLowerCase().match(/\p{L}{2,}/gu) ?? [];

/** Every word that the sentences are made of. */
const KNOWN: InAll<ReadonlySet<string>> = inAll((code) => {
  const texts = [
    ...NOUNS.flatMap(({ forms }) => [forms[code].one, forms[code].many]),
    ...ADJECTIVES.flatMap(({ forms, stem }) => [...forms[code], stem]),
    ...VERBS.flatMap(({ forms }) => Object.values(forms[code])),
    ...PATTERNS.map(({ says }) => says[code].replace(/\{[^{}]*\}/g, ' ')),
    ...PHRASES.map((row) => row[code]),
    ...WORDS.map((row) => row[code]),
    ...[...DAYS, ...WEEKLY, ...CITIES, ...COUNTRIES].map((row) => row[code]),
  ];
  return new Set(texts.flatMap(wordsIn));
});

/** Their names may be any word. */
const TOWNS: InAll<ReadonlySet<string>> = inAll((code) => new Set(CITIES.map((row) => row[code])));

let strangers: InAll<string[]> | undefined;

/** Real words of each language that no sentence here has: those of the search model's ideas. */
function strangersOf(code: Code): readonly string[] {
  strangers ??= readStrangers();
  return strangers[code];
}

function readStrangers(): InAll<string[]> {
  const lines = readFileSync(packagedFile('scripts/training/text/lexicon.txt'), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.split('|').map((part) => part.trim().split(' ')));
  return inAll((code, index) => {
    const words = lines.flatMap((parts) => parts[index] ?? []);
    return [...new Set(words)].filter((word) => /^\p{L}{3,}$/u.test(word) && !KNOWN[code].has(word));
  });
}

export function stranger(making: Making, code: Code): string {
  const { dice, isHeld } = making;
  if (dice.chance(0.25)) return coin(making);
  const words = strangersOf(code);
  for (;;) {
    const word = dice.pick(words);
    if (isHeldText(word) === isHeld) return word;
  }
}

/** A sentence that is known but for one word. Names, of cities too, may be any word, so they are left alone. */
export function withStranger(making: Making, code: Code, text: string): string {
  const { dice } = making;
  const places = [...text.matchAll(/\p{L}{3,}/gu)].filter(
    ({ 0: word }) => KNOWN[code].has(word.toLowerCase()) && !TOWNS[code].has(word),
  );
  const place = places.length > 0 ? dice.pick(places) : undefined;
  const word = stranger(making, code);
  if (!place) return `${text} ${word}`;
  const [old] = place;
  // Alone and with a capital it would be a name, which stays as it is.
  const isCapital = old !== old.toLowerCase() && text !== old;
  return (
    text.slice(0, place.index) + (isCapital ? capital(word) : word) + text.slice(place.index + old.length)
  );
}

/** Words in any order, as many strange ones as known ones. */
export function heap(making: Making, code: Code): string {
  const { dice } = making;
  const known = [...KNOWN[code]];
  const words = dice.list(dice.int(3, 8), () =>
    dice.chance(0.6) ? stranger(making, code) : dice.pick(known),
  );
  return `${capital(words.join(' '))}${dice.pick(['.', '.', '?', '!', ''])}`;
}

/** Sentences of a world that is larger. */
const LARGER: InAll<string> = {
  en: '(the|our|this|that) (committee|government|minister|engineer|weather|company|novel|river|judge|concert|economy|team) (was|has been|will be|is not|could be|announced that it is) (very interesting|difficult to understand|postponed until further notice|worried about the future|better than expected|known for its honesty|covered by the insurance)(.|!)|(why|when|how|how often) (did|should|could|would) (she|he|they|you) (forget|explain|cancel|repair|invent|translate) (the contract|the old machine|their promise|the poem|such a mistake)?|(yesterday|last year|after the storm|during the war) (she|he|they|nobody) (walked|sang|travelled|worried|slept) (alone|through the forest|for hours|without a word).',
  de: '(die|unsere|diese) (Regierung|Ministerin|Wirtschaft|Gesellschaft|Mannschaft|Versicherung|Richterin) (war|ist nicht|bleibt|wurde) (sehr interessant|schwer zu verstehen|auf unbestimmte Zeit verschoben|besser als erwartet|für ihre Ehrlichkeit bekannt).|(warum|wann|wie oft|weshalb) (hat|sollte|könnte) (sie|er|jemand) (den Vertrag|die alte Maschine|das Versprechen|so einen Fehler) (vergessen|erklären|reparieren|erfinden)?|(gestern|letztes Jahr|nach dem Sturm) (ging|sang|schlief|reiste) (sie|er|niemand) (stundenlang|durch den Wald|ohne ein Wort).',
  fr: "(le|notre|ce) (gouvernement|ministre|comité|roman|fleuve|juge|concert) (était|n'est pas|sera|a été) (très intéressant|difficile à comprendre|reporté à plus tard|meilleur que prévu|connu pour son honnêteté).|(pourquoi|quand|comment) (a-t-elle|a-t-il|ont-ils) (oublié|expliqué|réparé|inventé) (le contrat|la vieille machine|leur promesse|une telle erreur) ?|(hier|l'an dernier|après la tempête), (elle|il|personne) (marchait|chantait|dormait|voyageait) (seule|dans la forêt|pendant des heures|sans un mot).",
  es: '(el|nuestro|este) (gobierno|ministro|comité|río|juez|concierto|equipo) (era|no es|será|ha sido) (muy interesante|difícil de entender|aplazado hasta nuevo aviso|mejor de lo esperado|conocido por su honradez).|¿(por qué|cuándo|cómo) (olvidó|explicó|reparó|inventó) (ella|él|alguien) (el contrato|la vieja máquina|su promesa|un error así)?|(ayer|el año pasado|después de la tormenta) (caminaba|cantaba|dormía|viajaba) (sola|por el bosque|durante horas|sin una palabra).',
  it: '(il|il nostro|questo) (governo|ministro|comitato|romanzo|fiume|giudice|concerto) (era|non è|sarà|è stato) (molto interessante|difficile da capire|rinviato a data da destinarsi|migliore del previsto|noto per la sua onestà).|(perché|quando|come) (ha dimenticato|ha spiegato|ha riparato|ha inventato) (il contratto|la vecchia macchina|la promessa|un tale errore)?|(ieri|dopo la tempesta) (lei|lui|nessuno) (camminava|cantava|dormiva|viaggiava) (da sola|nel bosco|per ore|senza una parola).',
  pt: '(o|o nosso|este) (governo|ministro|comité|romance|rio|juiz|concerto) (era|não é|será|foi) (muito interessante|difícil de entender|adiado até nova ordem|melhor do que o esperado|conhecido pela sua honestidade).|(porque é que|quando|como) (esqueceu|explicou|reparou|inventou) (ela|ele|alguém) (o contrato|a velha máquina|a promessa|um erro assim)?|(ontem|no ano passado|depois da tempestade) (ela|ele|ninguém) (caminhava|cantava|dormia|viajava) (sozinha|pela floresta|durante horas|sem uma palavra).',
};

export const largerWorld = (making: Making, code: Code) => capital(phrase(making, LARGER[code]));

/** Languages that it does not know. */
export const OTHERS =
  'Dutch Swedish Polish Russian Chinese Japanese Turkish Arabic Greek Danish Norwegian Finnish Czech Korean Hindi Latin Hungarian Romanian Ukrainian Hebrew'.split(
    ' ',
  );
export const anyCode = ({ dice }: Making): Code => dice.pick(CODES);
