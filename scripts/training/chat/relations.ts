import { MONTHS, personName, properName } from './names.ts';
import type { Making } from './sample.ts';

export type Relation = {
  /** Wordings, with placeholders {s} for the subject and {v} for the value. */
  says: string;
  asks: string;
  value: (making: Making) => string;
  /** What kind of thing the value is, if more can be said about it. */
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
  says: '{s} (opened|was opened|first opened|was opened to the public|has been open since|was first opened) in {v}.|in {v}, {s} (opened|was opened|was opened to the public).|the (opening of {s} was|year in which {s} opened is|year of the opening of {s} was) {v}.',
  asks: '(when|in which year|in what year|what year) (did {s} open|was {s} opened|was {s} opened to the public|was the opening of {s})?|(what is|tell me) the (year of the opening of {s}|opening year of {s}|year in which {s} opened)?|since when is {s} open?',
  value: year,
};
export const lies: Relation = {
  says: '{s} (lies|stands|is located|is situated|can be found|is|was built) in {v}.|you (find|will find|can visit|see) {s} in {v}.|the (town|place) of {s} is {v}.|in {v} (stands|lies|one finds) {s}.',
  asks: 'where (is {s}|does {s} lie|does {s} stand|can one find {s}|do I find {s}|is {s} located|was {s} built)?|in (which|what) (town|place) (is {s}|does {s} lie|does {s} stand|can one find {s}|is {s} located)?|(what is|name) the town of {s}?',
  value: properName,
  leadsTo: 'town',
  of: (s) => `the town where ${s} is`,
};
export const designed: Relation = {
  says: '{s} (was designed by|is a design of|was planned by|was drawn up by|is the work of) {v}.|{v} (designed|planned|was the designer of|is the designer of|drew the plans of) {s}.|the (designer|architect) of {s} (was|is) {v}.|the design of {s} is by {v}.',
  asks: 'who (designed|planned|was the designer of|is the designer of|was the architect of|drew the plans of) {s}?|by whom was {s} (designed|planned)?|whose (design|work|plan) is {s}?|(what is the name of|name) the (designer|architect) of {s}?',
  value: personName,
  leadsTo: 'person',
  of: (s) => `the person who designed ${s}`,
};
export const length: Relation = {
  says: '{s} (is {v} long|has a length of {v}|measures {v}|stretches over {v}|reaches a length of {v}).|the (length of {s} is|whole length of {s} is|length of {s} was measured as) {v}.|from end to end {s} (measures|is) {v}.|with a length of {v}, {s} is well known.',
  asks: 'how long is {s}?|what (is the length of {s}|length does {s} have|is the whole length of {s}|does {s} measure|length has {s})?|(tell me|name) the length of {s}.|how many metres does {s} measure?',
  value: amount(12, 990, 'metres'),
};
export const madeOf: Relation = {
  says: '{s} (is made of|was built of|was made from|is built from|consists of) {v}.|the builders (of {s} used|built {s} of|made {s} of) {v}.|the material of {s} is {v}.|to build {s}, {v} was used.',
  asks: 'what (is {s} made of|was {s} built of|does {s} consist of|material is {s} made of|material was used to build {s}|did the builders of {s} use)?|of (what|which material) (is {s} made|was {s} built)?|which material (is {s} made of|is {s} built from|was {s} built of)?|(what is|name) the material of {s}?',
  value: material,
};
export const led: Relation = {
  says: '{s} is (led|run|headed|directed|managed) by {v}.|{v} (leads|runs|heads|directs|manages|is the head of|is the leader of) {s}.|the (head|leader|director) of {s} is {v}.|at the (top|head) of {s} (is|stands) {v}.',
  asks: 'who (leads|runs|heads|directs|manages|is the head of|is the leader of|is at the top of|is at the head of) {s}?|by whom is {s} (led|run|headed|managed)?|(what is the name of|name) the (head|leader|director) of {s}?|who is the director of {s}?',
  value: personName,
  leadsTo: 'person',
  of: (s) => `the person who leads ${s}`,
};
export const founded: Relation = {
  says: '{s} (was founded|was established|was set up|came into being|started) in {v}.|{s} (dates from|goes back to|has existed since) {v}.|in {v}, {s} was (founded|established|set up).|the (founding year of {s} is|year of the founding of {s} is|founding of {s} was in) {v}.',
  asks: '(when|in which year|in what year|what year) was {s} (founded|established|set up)?|(what is|tell me|name) the (founding year of {s}|year of the founding of {s}|year in which {s} was founded)?|since when does {s} exist?|how far does {s} go back?',
  value: year,
};
