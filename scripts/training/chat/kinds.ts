import { personName, properName } from './names.ts';
import {
  amount,
  colour,
  craft,
  day,
  designed,
  founded,
  led,
  length,
  lies,
  madeOf,
  opened,
  type Kind,
} from './relations.ts';

/** The facts that a made-up world can have. */
export const KINDS: readonly Kind[] = [
  {
    name: 'bridge',
    subject: (m) => `the ${properName(m)} Bridge`,
    relations: { opened, lies, designed, length, madeOf },
  },
  {
    name: 'museum',
    subject: (m) => `the ${properName(m)} Museum`,
    relations: {
      opened,
      lies,
      led,
      designed,
      costs: {
        says: 'a ticket for {s} (costs|is|is sold for) {v}.|{s} costs {v} to (visit|enter|see).|the (entry to {s} is|price of a ticket for {s} is|entry to {s} costs|ticket price of {s} is) {v}.|you pay {v} to (visit|enter|see) {s}.',
        asks: '(what|how much) does (a ticket for|a visit to|the entry to) {s} cost?|(how much|what) (is a ticket for|is the entry to|do I pay for|costs a visit to) {s}?|what is the (price of a ticket for|ticket price of|entry price of|price of a visit to) {s}?|how much does {s} cost?',
        value: amount(2, 40, 'euros'),
      },
    },
  },
  {
    name: 'town',
    subject: properName,
    relations: {
      founded,
      people: {
        says: '{s} (has|counts|is home to) {v}.|{v} (live in|are at home in) {s}.|the population of {s} is {v}.|there (are|live) {v} in {s}.',
        asks: 'how many (people|inhabitants) (live in {s}|does {s} have|are there in {s}|has {s})?|(what is|how large is|how big is|tell me) the population of {s}?|how many are at home in {s}?',
        value: amount(90, 9900, 'inhabitants'),
      },
      river: {
        says: '{s} (lies|stands|was built) (on|beside|at) the river {v}.|the river {v} (flows through|runs through|passes|crosses) {s}.|the river of {s} is the {v}.|through {s} flows the river {v}.',
        asks: '(on|beside|at) (which|what) river (does {s} lie|does {s} stand|was {s} built|is {s})?|(which|what) river (flows through|runs through|passes|crosses) {s}?|(what is|name) the (river of|river in|name of the river in) {s}?',
        value: properName,
      },
      mayor: {
        says: 'the mayor of {s} is {v}.|{v} (is|serves as|was elected) (the |)mayor of {s}.|{s} has (elected {v} as its mayor|a mayor named {v}|chosen {v} as mayor).|{v} governs {s} as mayor.',
        asks: 'who (is the mayor of|governs|is mayor of|serves as mayor of|was elected mayor of) {s}?|(what is|tell me) the name of the mayor of {s}?|(whom|who) has {s} (elected|chosen) as (its |)mayor?|what is the mayor of {s} called?',
        value: personName,
        leadsTo: 'person',
        of: (s) => `the mayor of ${s}`,
      },
    },
  },
  {
    name: 'person',
    subject: personName,
    relations: {
      born: {
        says: '{s} (was born in|comes from|is from|was born and raised in|grew up in) {v}.|{v} is the (birthplace|home town) of {s}.|the (birthplace|home town) of {s} is {v}.|in {v}, {s} was born.',
        asks: '(where|in which town|in what town|in which place) was {s} born?|(what is|tell me|name) the (birthplace|home town) of {s}?|where (does {s} come from|is {s} from|did {s} grow up)?',
        value: properName,
        leadsTo: 'town',
        of: (s) => `the town where ${s} was born`,
      },
      work: {
        says: '{s} (works as|is|earns a living as|is employed as) a {v}.|by profession, {s} is a {v}.|the (profession|job|occupation) of {s} is {v}.|{s} has worked as a {v} for years.',
        asks: 'what (does {s} work as|does {s} do for a living|is {s} by profession|job does {s} have)?|(what is|tell me|name) the (profession|job|occupation) of {s}?|as what (does {s} work|is {s} employed)?|how does {s} earn a living?',
        value: craft,
      },
      birthday: {
        says: 'the birthday of {s} is (on |){v}.|{s} (has a birthday on|celebrates on|celebrates a birthday on|turns a year older on|was born on) {v}.|on {v}, {s} (has a birthday|celebrates a birthday).',
        asks: 'when (is the birthday of {s}|does {s} celebrate|has {s} a birthday|does {s} have a birthday|does {s} celebrate a birthday)?|on (which|what) (day|date) (is the birthday of {s}|does {s} celebrate|does {s} have a birthday)?|(what date is|what is the date of|tell me) the birthday of {s}?',
        value: day,
      },
    },
  },
  {
    name: 'firm',
    subject: (m) => `${properName(m)} ${m.dice.pick(['Works', 'Foods', 'Systems', 'Motors', 'Press'])}`,
    relations: {
      founded,
      led,
      lies,
      staff: {
        says: '{s} (employs|has a staff of|gives work to|pays) {v}.|{v} (work|are employed) (for|at) {s}.|the staff of {s} (is|counts|consists of) {v}.|at {s} there are {v} at work.',
        asks: 'how (many people|many) (does {s} employ|work for {s}|work at {s}|are employed at {s}|does {s} pay|are at work at {s})?|how (large|big) is the staff of {s}?|(what is|tell me) the (number of people|size of the staff) (at|of) {s}?',
        value: amount(3, 4000, 'people'),
      },
    },
  },
  {
    name: 'ship',
    subject: (m) => `the ship ${properName(m)}`,
    relations: {
      length,
      colour: {
        says: '{s} is (painted |){v}.|the (hull|colour|paint) of {s} is {v}.|they painted {s} {v}.|as to colour, {s} is {v}.',
        asks: '(what|which) colour (is {s}|does {s} have|has {s}|is {s} painted|did they paint {s}|is the hull of {s})?|in (what|which) colour (is {s} painted|did they paint {s})?|(what is|tell me|name) the colour of {s}?',
        value: colour,
      },
      captain: {
        says: 'the captain of {s} is {v}.|{s} (sails|goes to sea) under {v}.|{v} (is the captain of|commands|is in command of|sails as captain of|steers) {s}.|in command of {s} is {v}.',
        asks: 'who (is the captain of|commands|is in command of|steers|sails as captain of) {s}?|under (which captain|whom) does {s} (sail|go to sea)?|(what is the name of|name) the captain of {s}?',
        value: personName,
        leadsTo: 'person',
        of: (s) => `the captain of ${s}`,
      },
    },
  },
  {
    name: 'project',
    subject: (m) => `the project ${properName(m)}`,
    relations: {
      led,
      budget: {
        says: 'the budget of {s} is {v}.|{s} (may spend|has a budget of|is funded with|was given|costs) {v}.|a budget of {v} (was given to|belongs to) {s}.|{v} are set aside for {s}.',
        asks: '(what is|how large is|how big is|tell me) the budget of {s}?|how much (may {s} spend|money does {s} have|was {s} given|is set aside for {s}|does {s} cost)?|what (may {s} spend|budget does {s} have)?',
        value: amount(5, 900, 'thousand euros'),
      },
      due: {
        says: '{s} (must be done by|ends on|is due on|has to be finished by|must be ready by) {v}.|the (deadline of {s} is|end of {s} is set for|date on which {s} ends is) {v}.|by {v}, {s} must be (done|finished|ready).',
        asks: 'when (is the deadline of {s}|does {s} end|is {s} due|must {s} be done|must {s} be finished)?|by when must {s} be (done|finished|ready)?|(what is|tell me) the (deadline|end) of {s}?|on (which|what) day (does {s} end|is {s} due)?',
        value: day,
      },
    },
  },
];
