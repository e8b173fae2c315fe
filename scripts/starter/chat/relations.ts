import { MONTHS, personName, properName } from './names.ts';
import type { Making } from './sample.ts';

type Says = (subject: string, value: string) => string;
type Asks = (subject: string) => string;

export type Relation = {
  /** The last of each is kept for evaluation. */
  says: readonly Says[];
  asks: readonly Asks[];
  value: (making: Making) => string;
  /** What the value is, where more can be told about it. */
  leadsTo?: string;
  /** How a question names the subject by this: "the person who designed X". */
  of?: (subject: string) => string;
};

export type Kind = {
  name: string;
  subject: (making: Making) => string;
  relations: Readonly<Record<string, Relation>>;
};

const year = ({ dice }: Making) => String(dice.int(1750, 2024));
export const amount = (least: number, most: number, unit: string) => (making: Making) =>
  `${making.dice.int(least, most)} ${unit}`;
const material = ({ dice }: Making) =>
  dice.pick(['steel', 'stone', 'oak', 'brick', 'glass', 'iron', 'concrete', 'marble']);
export const day = ({ dice }: Making) => `${dice.int(1, 28)} ${dice.pick(MONTHS)}`;
export const craft = ({ dice }: Making) =>
  dice.pick([
    'lawyer',
    'baker',
    'sailor',
    'teacher',
    'doctor',
    'painter',
    'gardener',
    'farmer',
    'writer',
    'singer',
  ]);
export const colour = ({ dice }: Making) =>
  dice.pick(['red', 'green', 'blue', 'white', 'black', 'yellow', 'grey', 'brown']);

export const opened: Relation = {
  says: [
    (s, v) => `${s} opened in ${v}.`,
    (s, v) => `${s} was opened in ${v}.`,
    (s, v) => `In ${v}, ${s} was opened to the public.`,
    (s, v) => `The opening of ${s} was in ${v}.`,
  ],
  asks: [
    (s) => `When did ${s} open?`,
    (s) => `When was ${s} opened?`,
    (s) => `In which year did ${s} open?`,
    (s) => `What year was ${s} opened?`,
  ],
  value: year,
};
export const lies: Relation = {
  says: [
    (s, v) => `${s} lies in ${v}.`,
    (s, v) => `${s} stands in ${v}.`,
    (s, v) => `You find ${s} in ${v}.`,
    (s, v) => `${s} is located in ${v}.`,
  ],
  asks: [
    (s) => `Where is ${s}?`,
    (s) => `Where does ${s} lie?`,
    (s) => `In which town is ${s}?`,
    (s) => `In what place can one find ${s}?`,
  ],
  value: properName,
  leadsTo: 'town',
  of: (s) => `the town where ${s} is`,
};
export const designed: Relation = {
  says: [
    (s, v) => `${s} was designed by ${v}.`,
    (s, v) => `${v} designed ${s}.`,
    (s, v) => `The designer of ${s} was ${v}.`,
    (s, v) => `${s} is a design of ${v}.`,
  ],
  asks: [
    (s) => `Who designed ${s}?`,
    (s) => `By whom was ${s} designed?`,
    (s) => `Who was the designer of ${s}?`,
    (s) => `Whose design is ${s}?`,
  ],
  value: personName,
  leadsTo: 'person',
  of: (s) => `the person who designed ${s}`,
};
export const length: Relation = {
  says: [
    (s, v) => `${s} is ${v} long.`,
    (s, v) => `${s} has a length of ${v}.`,
    (s, v) => `The length of ${s} is ${v}.`,
    (s, v) => `From end to end ${s} measures ${v}.`,
  ],
  asks: [
    (s) => `How long is ${s}?`,
    (s) => `What is the length of ${s}?`,
    (s) => `What length does ${s} have?`,
  ],
  value: amount(12, 990, 'metres'),
};
export const madeOf: Relation = {
  says: [
    (s, v) => `${s} is made of ${v}.`,
    (s, v) => `${s} was built of ${v}.`,
    (s, v) => `The builders of ${s} used ${v}.`,
  ],
  asks: [
    (s) => `What is ${s} made of?`,
    (s) => `Of what was ${s} built?`,
    (s) => `Which material is ${s} made of?`,
  ],
  value: material,
};
export const led: Relation = {
  says: [
    (s, v) => `${s} is led by ${v}.`,
    (s, v) => `${v} leads ${s}.`,
    (s, v) => `The head of ${s} is ${v}.`,
    (s, v) => `At the top of ${s} is ${v}.`,
  ],
  asks: [
    (s) => `Who leads ${s}?`,
    (s) => `Who is the head of ${s}?`,
    (s) => `Who runs ${s}?`,
    (s) => `By whom is ${s} led?`,
  ],
  value: personName,
  leadsTo: 'person',
  of: (s) => `the person who leads ${s}`,
};
export const founded: Relation = {
  says: [
    (s, v) => `${s} was founded in ${v}.`,
    (s, v) => `${s} dates from ${v}.`,
    (s, v) => `In ${v}, ${s} was founded.`,
    (s, v) => `The founding year of ${s} is ${v}.`,
  ],
  asks: [
    (s) => `When was ${s} founded?`,
    (s) => `In which year was ${s} founded?`,
    (s) => `What is the founding year of ${s}?`,
  ],
  value: year,
};
