import { adjectivesOf } from './adjectives.ts';
import { formsOf, inAll, rowsOf, type InAll } from './languages.ts';
import { nounPhrase } from './noun-phrases.ts';
import { nounsOf, type Noun } from './nouns.ts';
import { BESIDE, CITIES, COUNTRIES, DAYS, IN, ON, ON_DAY, WEEKLY } from './proper.ts';
import type { Filling } from './sentences.ts';
import { verbsOf, type Person } from './verbs.ts';

/** What may stand in a place: one of a list, a name that is copied, or a number. */
export type Place = readonly Filling[] | 'name' | 'town' | 'number' | 'hour';
export type Pattern = { weight: number; places: Readonly<Record<string, Place>>; says: InAll<string> };

/**
 * Before the equals sign how often it is drawn and what stands in which place, after it the sentence in six languages
 * (`realize` tells how the places are written). n and m are nouns, a and c adjectives, v a verb, s a subject.
 */
const SENTENCES = `
2 n:thing,vessel,opening,place,goal,office a:kind = {the n} is {a}. | {the n} ist {a}. | {the n} est {is a n}. | {the n} es {is a n}. | {the n} è {is a n}. | {the n} é {is a n}.
1 n:animal a:animate,colour = {the n} is {a}. | {the n} ist {a}. | {the n} est {is a n}. | {the n} es {is a n}. | {the n} è {is a n}. | {the n} é {is a n}.
2 n:thing,vessel,opening a:kind,colour = {this n} is {a}. | {this n} ist {a}. | {this n} est {is a n}. | {this n} es {is a n}. | {this n} è {is a n}. | {this n} é {is a n}.
2 n:thing,vessel,animal a:animate,colour = {my n} is {a}. | {my n} ist {a}. | {my n} est {is a n}. | {my n} es {is a n}. | {my n} è {is a n}. | {my n} é {is a n}.
1 n:house,garden,car,table,dog,cat,street,school,hotel a:animate,modern = {our n} is {a}. | {our n} ist {a}. | {our n} est {is a n}. | {our n} es {is a n}. | {our n} è {is a n}. | {our n} é {is a n}.
2 n:thing,vessel,opening,animal,fruit a:animate,colour = {the n many} are {a}. | {the n many} sind {a}. | {the n many} sont {is a n many}. | {the n many} son {is a n many}. | {the n many} sono {is a n many}. | {the n many} são {is a n many}.
1 n:drink,order,soup,meat,rice a:heat = {the n} is {a}. | {the n} ist {a}. | {the n} est {is a n}. | {the n} está {is a n}. | {the n} è {is a n}. | {the n} está {is a n}.
1 n:office,market,church,opening,box,suitcase a:open = {the n} is {a}. | {the n} ist {a}. | {the n} est {is a n}. | {the n} está {is a n}. | {the n} è {is a n}. | {the n} está {is a n}.
1 n:vessel a:filled,clean = {the n} is {a}. | {the n} ist {a}. | {the n} est {is a n}. | {the n} está {is a n}. | {the n} è {is a n}. | {the n} está {is a n}.
1 n:vessel,shirt,shoe,window,spoon,knife a:clean = {the n many} are {a}. | {the n many} sind {a}. | {the n many} sont {is a n many}. | {the n many} están {is a n many}. | {the n many} sono {is a n many}. | {the n many} estão {is a n many}.
1 n:family a:mood = {my n} is {a}. | {my n} ist {a}. | {my n} est {is a n}. | {my n} está {is a n}. | {my n} è {is a n}. | {my n} está {is a n}.
1 n:person a:mood = {the n many} are {a}. | {the n many} sind {a}. | {the n many} sont {is a n many}. | {the n many} están {is a n many}. | {the n many} sono {is a n many}. | {the n many} estão {is a n many}.
0.6 s:her,one = {s} is hungry. | {s} hat Hunger. | {s} a faim. | {s} tiene hambre. | {s} ha fame. | {s} tem fome.
0.6 s:her,one = {s} is thirsty. | {s} hat Durst. | {s} a soif. | {s} tiene sed. | {s} ha sete. | {s} tem sede.
3 s:who v:trade,keep n:thing,vessel = {s} {v s} {a n}. | {s} {v s} {a n acc}. | {s} {v s} {a n}. | = | = | =
1 s:name v:trade,keep n:thing,vessel = {s} {v s} {a n}. | {s} {v s} {a n acc}. | {s} {v s} {a n}. | = | = | =
1 s:who v:have,see,look_for,draw n:animal = {s} {v s} {a n}. | {s} {v s} {a n acc}. | {s} {v s} {a n}. | = | = | =
0.7 s:who v:read n:book,letter,newspaper = {s} {v s} {a n}. | {s} {v s} {a n acc}. | {s} {v s} {a n}. | = | = | =
0.7 s:who v:eat n:apple,orange,banana,tomato = {s} {v s} {a n}. | {s} {v s} {a n acc}. | {s} {v s} {a n}. | = | = | =
2 s:who v:trade,have,need,see n:thing,vessel a:colour,animate = {s} {v s} {a n a}. | {s} {v s} {a n a acc}. | {s} {v s} {a n a}. | = | = | =
2 s:who v:buy,have,need,see n:thing,vessel,fruit,animal #:number = {s} {v s} {#} {none n many}. | = | = | = | = | =
1 s:I v:look_for,need,sell n:thing,vessel = {s} {v s} {my n}. | {s} {v s} {my n acc}. | {s} {v s} {my n}. | = | = | =
1.5 s:who v:eat n:food = {s} {v s} {none n}. | = | {s} {v s} de {the n}. | {s} {v s} {none n}. | = | =
1 s:who v:drink n:drink,order = {s} {v s} {none n}. | = | {s} {v s} de {the n}. | {s} {v s} {none n}. | = | =
0.7 v:drink n:drink,order = I do not {v inf} {none n}. | ich {v 1s} {no n acc}. | je ne {v 1s} pas {no n}. | no {v 1s} {none n}. | non {v 1s} {none n}. | não {v 1s} {none n}.
0.7 v:eat n:food = I do not {v inf} {none n}. | ich {v 1s} {no n acc}. | je ne {v 1s} pas {no n}. | no {v 1s} {none n}. | non {v 1s} {none n}. | não {v 1s} {none n}.
1.5 n:thing,vessel,animal = I do not have {a n}. | ich habe {no n acc}. | je n'ai pas {no n}. | no tengo {none n}. | non ho {a n}. | não tenho {none n}.
0.7 n:food,drink,order = I like {none n}. | ich mag {none n}. | j'aime {the n}. | me gusta {the n}. | mi piace {the n}. | gosto de {none n}.
0.7 n:food,drink,order = I do not like {none n}. | ich mag {no n acc}. | je n'aime pas {the n}. | no me gusta {the n}. | non mi piace {the n}. | não gosto de {none n}.
0.7 n:fruit,animal,flower = I like {none n many}. | ich mag {none n many}. | j'aime {the n many}. | me gustan {the n many}. | mi piacciono {the n many}. | gosto de {none n many}.
1.5 v:buy,sell,see,draw n:thing,vessel = I would like to {v inf} {a n}. | ich möchte {a n acc} {v inf}. | je voudrais {v inf} {a n}. | quisiera {v inf} {a n}. | vorrei {v inf} {a n}. | queria {v inf} {a n}.
0.7 n:order,fruit = I would like {a n}, please. | ich möchte {a n acc}, bitte. | je voudrais {a n}, s'il vous plaît. | quisiera {a n}, por favor. | vorrei {a n}, per favore. | queria {a n}, por favor.
1.5 v:have,see n:thing,vessel,animal = do you {v inf} {a n}? | {v you} Sie {a n acc}? | {v you}-vous {a n} ? | ¿{v you} usted {a n}? | {v you} {a n}? | =
1 n:thing,vessel = do you need {a n}? | brauchen Sie {a n acc}? | avez-vous besoin de {a n} ? | ¿necesita usted {a n}? | ha bisogno di {a n}? | precisa de {a n}?
1 n:thing,vessel,fruit = do you sell {none n many}? | verkaufen Sie {none n many}? | vendez-vous {a n many} ? | ¿vende usted {none n many}? | vende {none n many}? | =
0.7 n:food,drink,order = do you have {none n}? | haben Sie {none n}? | avez-vous de {the n} ? | ¿tiene usted {none n}? | ha di {the n}? | tem {none n}?
1.5 n:goal,office,bridge,garden = where is {the n}? | wo ist {the n}? | où est {the n} ? | ¿dónde está {the n}? | dov'è {the n}? | onde fica {the n}?
1.5 n:thing,vessel,dog,cat = where is {my n}? | wo ist {my n}? | où est {my n} ? | ¿dónde está {my n}? | dov'è {my n}? | onde está {my n}?
1 n:thing,vessel = where are {my n many}? | wo sind {my n many}? | où sont {my n many} ? | ¿dónde están {my n many}? | dove sono {my n many}? | onde estão {my n many}?
1 n:goal,office = is there {a n} here? | gibt es hier {a n acc}? | y a-t-il {a n} ici ? | ¿hay {a n} aquí? | c'è {a n} qui? | há {a n} aqui?
1.5 n:thing,vessel,fruit = how much does {the n} cost? | wie viel kostet {the n}? | combien coûte {the n} ? | ¿cuánto cuesta {the n}? | quanto costa {the n}? | quanto custa {the n}?
1 n:thing,vessel,fruit = how much do {the n many} cost? | wie viel kosten {the n many}? | combien coûtent {the n many} ? | ¿cuánto cuestan {the n many}? | quanto costano {the n many}? | quanto custam {the n many}?
1.5 n:thing,vessel,cake #:number = {the n} costs {#} euros. | {the n} kostet {#} Euro. | {the n} coûte {#} euros. | {the n} cuesta {#} euros. | {the n} costa {#} euro. | {the n} custa {#} euros.
0.7 n:opening,box,suitcase,bag,letter = please open {the n}. | öffnen Sie bitte {the n acc}. | ouvrez {the n}, s'il vous plaît. | abra {the n}, por favor. | apra {the n}, per favore. | abra {the n}, por favor.
0.7 n:opening,box,suitcase,bag = please close {the n}. | schließen Sie bitte {the n acc}. | fermez {the n}, s'il vous plaît. | cierre {the n}, por favor. | chiuda {the n}, per favore. | feche {the n}, por favor.
2 n:small,vessel p:on m:table,chair,bed = {the n} is {p} {the m}. | {the n} ist {p} {the m dat}. | {the n} est {p} {the m}. | {the n} está {p} {the m}. | {the n} è {p} {the m}. | {the n} está {p} {the m}.
1.5 n:small p:in m:box,bag,suitcase = {the n} is {p} {the m}. | {the n} ist {p} {the m dat}. | {the n} est {p} {the m}. | {the n} está {p} {the m}. | {the n} è {p} {the m}. | {the n} está {p} {the m}.
1.5 n:goal,office p:beside m:goal,office,bridge = {the n} is {p} {the m}. | {the n} ist {p} {the m dat}. | {the n} est {p} {the m}. | {the n} está {p} {the m}. | {the n} è {p} {the m}. | {the n} fica {p} {the m}.
1 n:small,vessel m:table #:number = there are {#} {none n many} on {the m}. | auf {the m dat} sind {#} {none n many}. | il y a {#} {none n many} sur {the m}. | hay {#} {none n many} sobre {the m}. | ci sono {#} {none n many} su {the m}. | há {#} {none n many} em cima de {the m}.
1.5 s:us,her,one v:walk n:station,airport,park,market,hotel,museum,restaurant,hospital = {s} {v s} to {the n}. | {s} {v s} zu {the n dat}. | {s} {v s} à {the n}. | {s} {v s} a {the n}. | = | =
1.5 s:us,her,one v:work n:office = {s} {v s} in {a n}. | {s} {v s} in {a n dat}. | {s} {v s} dans {a n}. | {s} {v s} en {a n}. | {s} {v s} in {a n}. | {s} {v s} em {a n}.
1 n:office,market d:weekly c:closed = {the n} is closed {d}. | {the n} ist {d} geschlossen. | {the n} est {is c n} {d}. | {the n} está {is c n} {d}. | {the n} è {is c n} {d}. | {the n} está {is c n} {d}.
0.4 d:days = today is {d}. | heute ist {d}. | aujourd'hui, c'est {d}. | hoy es {d}. | oggi è {d}. | hoje é {d}.
0.4 d:day = I am arriving {d}. | ich komme {d} an. | j'arrive {d}. | llego {d}. | arrivo {d}. | chego {d}.
0.4 d:days = see you on {d}. | bis {d}. | à {d}. | hasta el {d}. | a {d}. | até {d}.
1 s:us,her,name v:live,work x:city = {s} {v s} in {x}. | = | {s} {v s} à {x}. | {s} {v s} en {x}. | {s} {v s} a {x}. | {s} {v s} em {x}.
0.5 s:us,her,name v:live,work x:town = {s} {v s} in {x}. | = | {s} {v s} à {x}. | {s} {v s} en {x}. | {s} {v s} a {x}. | {s} {v s} em {x}.
1 s:us,her v:ride x:city = {s} {v s} to {x}. | {s} {v s} nach {x}. | {s} {v s} à {x}. | {s} {v s} a {x}. | = | {s} {v s} para {x}.
0.5 s:us,her v:ride x:town = {s} {v s} to {x}. | {s} {v s} nach {x}. | {s} {v s} à {x}. | {s} {v s} a {x}. | = | {s} {v s} para {x}.
1 s:us,her,one v:live,work x:country = {s} {v s} {x}. | = | = | = | = | =
0.7 x:city,town h:hour = the train to {x} leaves at {h} o'clock. | der Zug nach {x} fährt um {h} Uhr ab. | le train pour {x} part à {h} heures. | el tren a {x} sale a las {h}. | il treno per {x} parte alle {h}. | o comboio para {x} parte às {h} horas.
0.7 x:city,town = the train to {x} is late. | der Zug nach {x} hat Verspätung. | le train pour {x} est en retard. | el tren a {x} llega tarde. | il treno per {x} è in ritardo. | o comboio para {x} está atrasado.
0.7 x:city,town = a ticket to {x}, please. | eine Fahrkarte nach {x}, bitte. | un billet pour {x}, s'il vous plaît. | un billete a {x}, por favor. | un biglietto per {x}, per favore. | um bilhete para {x}, por favor.
0.7 x:city,town = I come from {x}. | ich komme aus {x}. | je viens de {x}. | soy de {x}. | vengo da {x}. | venho de {x}.
1 s:her,name #:number = {s} is {#} years old. | {s} ist {#} Jahre alt. | {s} a {#} ans. | {s} tiene {#} años. | {s} ha {#} anni. | {s} tem {#} anos.
0.7 x:name = my name is {x}. | ich heiße {x}. | je m'appelle {x}. | me llamo {x}. | mi chiamo {x}. | chamo-me {x}.
0.7 x:name = do you know {x}? | kennen Sie {x}? | connaissez-vous {x} ? | ¿conoce a {x}? | conosce {x}? | conhece {x}?
0.7 x:name = I am waiting for {x}. | ich warte auf {x}. | j'attends {x}. | espero a {x}. | aspetto {x}. | espero por {x}.
0.7 x:name = where is {x}? | wo ist {x}? | où est {x} ? | ¿dónde está {x}? | dov'è {x}? | onde está {x}?
0.7 x:name y:name = {x} and {y} are here. | {x} und {y} sind hier. | {x} et {y} sont ici. | {x} y {y} están aquí. | {x} e {y} sono qui. | {x} e {y} estão aqui.
`;

/** Parts of a sentence, without capital and point: the same in every language. */
const PARTS = `
2 n:thing,vessel,opening,animal,place a:colour,animate = {the n a}
2 n:thing,vessel,opening,animal,place a:colour,animate = {a n a}
1 n:thing,vessel,animal = {my n}
1 n:thing,vessel,office,goal,person = {the n many}
2 n:thing,vessel,fruit,animal,place #:number = {#} {none n many}
1 n:thing,vessel,office,goal,place,person,animal = {the n}
`;

const SMALL = 'letter,book,newspaper,key,hat,ticket,map,phone,ring,watch,pen,gift,shirt,cat'.split(',');
const spoken = (en: string, de: string, fr: string, person: Person): Filling => ({
  text: { en, de, fr, es: '', it: '', pt: '' },
  person,
  id: en,
});
const someone = (determiner: 'the' | 'my', isMany: boolean, noun: Noun): Filling => {
  const text = inAll((code) => nounPhrase(code, noun, { determiner, isMany, case: 'nom' }));
  return { text, person: isMany ? '3p' : '3s', id: text.en };
};
const PEOPLE = nounsOf('person');
const I = [spoken('I', 'ich', 'je', '1s')];
const US = [...I, spoken('we', 'wir', 'nous', '1p')];
const HER = nounsOf('family').map((noun) => someone('my', false, noun));
const ONE = PEOPLE.map((noun) => someone('the', false, noun));
const MANY = PEOPLE.map((noun) => someone('the', true, noun));
const SUBJECTS: Readonly<Record<string, readonly Filling[]>> = {
  I,
  us: [...US, ...US, ...US],
  her: HER,
  one: ONE,
  many: MANY,
  who: [...US, ...US, ...US, ...US, ...HER, ...ONE, ...MANY],
};
const texts = (rows: readonly InAll<string>[]): Filling[] => rows.map((text) => ({ text, id: text.en }));
const LISTS: Readonly<Record<string, readonly Filling[]>> = {
  ...SUBJECTS,
  small: nounsOf(...SMALL).map((noun) => ({ noun })),
  closed: adjectivesOf('open')
    .slice(1)
    .map((adjective) => ({ adjective })),
  on: texts(ON),
  in: texts(IN),
  beside: texts(BESIDE),
  weekly: texts(WEEKLY),
  days: texts(DAYS),
  day: texts(ON_DAY),
  city: texts(CITIES),
  country: texts(COUNTRIES),
};
const OF_LETTER: Readonly<Record<string, (name: string) => Filling[]>> = {
  n: (name) => nounsOf(name).map((noun) => ({ noun })),
  m: (name) => nounsOf(name).map((noun) => ({ noun })),
  a: (name) => adjectivesOf(name).map((adjective) => ({ adjective })),
  v: (name) => verbsOf(name.replaceAll('_', ' ')).map((verb) => ({ verb })),
};
const MADE: readonly string[] = ['name', 'town', 'number', 'hour'];

function placesOf(letter: string, names: readonly string[]): Place[] {
  const places: Place[] = names.filter((name) => MADE.includes(name)) as Place[];
  const listed = names
    .filter((name) => !MADE.includes(name))
    .flatMap((name) => LISTS[name] ?? OF_LETTER[letter]?.(name) ?? []);
  return listed.length > 0 ? [listed, ...places] : places;
}

/** A line with a list and a made-up name in one place is two patterns. */
function patternsOf(line: string, says: InAll<string>): Pattern[] {
  const [weight = '1', ...places] = line.trim().split(' ');
  let made: Record<string, Place>[] = [{}];
  for (const place of places) {
    const [letter = '', names = ''] = place.split(':');
    const choices = placesOf(letter, names.split(','));
    if (choices.length === 0) throw new Error(`Nothing is in place "${place}"`);
    made = made.flatMap((before) => choices.map((choice) => ({ ...before, [letter]: choice })));
  }
  return made.map((each) => ({ weight: Number(weight) / made.length, places: each, says }));
}

const read = (table: string, saysOf: (text: string) => InAll<string>): Pattern[] =>
  table
    .trim()
    .split('\n')
    .flatMap((line) => {
      const at = line.indexOf(' = ');
      return patternsOf(line.slice(0, at), saysOf(line.slice(at + 3)));
    });

export const PATTERNS: readonly Pattern[] = read(SENTENCES, (text) => formsOf(rowsOf(text)[0] ?? []));
export const FRAGMENTS: readonly Pattern[] = read(PARTS, (text) => inAll(() => text));
