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

/** What can be told of a made-up world. */
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
        says: [
          (s, v) => `A ticket for ${s} costs ${v}.`,
          (s, v) => `${s} costs ${v} to visit.`,
          (s, v) => `The entry to ${s} is ${v}.`,
        ],
        asks: [
          (s) => `What does a ticket for ${s} cost?`,
          (s) => `How much does ${s} cost?`,
          (s) => `What is the price of a ticket for ${s}?`,
        ],
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
        says: [
          (s, v) => `${s} has ${v}.`,
          (s, v) => `${v} live in ${s}.`,
          (s, v) => `The population of ${s} is ${v}.`,
        ],
        asks: [
          (s) => `How many people live in ${s}?`,
          (s) => `What is the population of ${s}?`,
          (s) => `How many inhabitants does ${s} have?`,
        ],
        value: amount(90, 9900, 'inhabitants'),
      },
      river: {
        says: [
          (s, v) => `${s} lies on the river ${v}.`,
          (s, v) => `The river ${v} flows through ${s}.`,
          (s, v) => `${s} was built beside the river ${v}.`,
        ],
        asks: [
          (s) => `On which river does ${s} lie?`,
          (s) => `Which river flows through ${s}?`,
          (s) => `What is the river of ${s}?`,
        ],
        value: properName,
      },
      mayor: {
        says: [
          (s, v) => `The mayor of ${s} is ${v}.`,
          (s, v) => `${v} is the mayor of ${s}.`,
          (s, v) => `${s} has elected ${v} as its mayor.`,
        ],
        asks: [
          (s) => `Who is the mayor of ${s}?`,
          (s) => `What is the name of the mayor of ${s}?`,
          (s) => `Who governs ${s} as mayor?`,
        ],
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
        says: [
          (s, v) => `${s} was born in ${v}.`,
          (s, v) => `${v} is the birthplace of ${s}.`,
          (s, v) => `${s} comes from ${v}.`,
        ],
        asks: [
          (s) => `Where was ${s} born?`,
          (s) => `What is the birthplace of ${s}?`,
          (s) => `In which town was ${s} born?`,
        ],
        value: properName,
        leadsTo: 'town',
        of: (s) => `the town where ${s} was born`,
      },
      work: {
        says: [
          (s, v) => `${s} works as a ${v}.`,
          (s, v) => `${s} is a ${v}.`,
          (s, v) => `By profession, ${s} is a ${v}.`,
        ],
        asks: [
          (s) => `What does ${s} work as?`,
          (s) => `What is the profession of ${s}?`,
          (s) => `What does ${s} do for a living?`,
        ],
        value: craft,
      },
      birthday: {
        says: [
          (s, v) => `The birthday of ${s} is ${v}.`,
          (s, v) => `${s} has a birthday on ${v}.`,
          (s, v) => `${s} celebrates on ${v}.`,
        ],
        asks: [
          (s) => `When is the birthday of ${s}?`,
          (s) => `On which day is the birthday of ${s}?`,
          (s) => `What date is the birthday of ${s}?`,
        ],
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
        says: [
          (s, v) => `${s} employs ${v}.`,
          (s, v) => `${s} has a staff of ${v}.`,
          (s, v) => `${v} work for ${s}.`,
        ],
        asks: [
          (s) => `How many people does ${s} employ?`,
          (s) => `How large is the staff of ${s}?`,
          (s) => `How many people work for ${s}?`,
        ],
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
        says: [
          (s, v) => `${s} is painted ${v}.`,
          (s, v) => `${s} is ${v}.`,
          (s, v) => `The hull of ${s} is ${v}.`,
        ],
        asks: [
          (s) => `What colour is ${s}?`,
          (s) => `Which colour does ${s} have?`,
          (s) => `In what colour is ${s} painted?`,
        ],
        value: colour,
      },
      captain: {
        says: [
          (s, v) => `The captain of ${s} is ${v}.`,
          (s, v) => `${s} sails under ${v}.`,
          (s, v) => `${v} is the captain of ${s}.`,
        ],
        asks: [
          (s) => `Who is the captain of ${s}?`,
          (s) => `Who commands ${s}?`,
          (s) => `Under which captain does ${s} sail?`,
        ],
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
        says: [
          (s, v) => `The budget of ${s} is ${v}.`,
          (s, v) => `${s} may spend ${v}.`,
          (s, v) => `${s} has a budget of ${v}.`,
        ],
        asks: [
          (s) => `What is the budget of ${s}?`,
          (s) => `How much may ${s} spend?`,
          (s) => `How large is the budget of ${s}?`,
        ],
        value: amount(5, 900, 'thousand euros'),
      },
      due: {
        says: [
          (s, v) => `${s} must be done by ${v}.`,
          (s, v) => `The deadline of ${s} is ${v}.`,
          (s, v) => `${s} ends on ${v}.`,
        ],
        asks: [
          (s) => `When is the deadline of ${s}?`,
          (s) => `By when must ${s} be done?`,
          (s) => `When does ${s} end?`,
        ],
        value: day,
      },
    },
  },
];
