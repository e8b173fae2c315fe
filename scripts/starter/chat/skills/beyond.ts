import { ask, wording, type Making, type Sample, type Skill } from '../sample.ts';
import { properName } from '../names.ts';

const split = (text: string) => text.split(', ');

/** Of each list the last few are kept for evaluation. */
const PLACES = split(
  'France, Japan, Brazil, Egypt, India, Rome, London, Paris, China, Canada, Africa, Europe, Berlin, New York, Russia, ' +
    'Mexico, Texas, Peru, Norway, Greece, Kenya, Turkey, Poland, Italy, Spain, Australia, Sweden, Portugal',
);
const THINGS = split(
  'the telephone, the wheel, the steam engine, electricity, the internet, gravity, photosynthesis, a black hole, inflation, ' +
    'the moon, the sun, the ocean, a volcano, the heart, the brain, an atom, a car engine, a vaccine, democracy, the stock market, ' +
    'the French Revolution, the Second World War, the pyramids, dinosaurs, penguins, whales, bees, coffee, chocolate, ' +
    'quantum physics, relativity, evolution, climate change, bitcoin, machine learning, a neural network, DNA, cancer, ' +
    'the piano, jazz, football, chess, the printing press, a rainbow, lightning, the light bulb, glaciers',
);
const TOPICS = split(
  'love, freedom, the sea, summer, a lost dog, winter, my mother, friendship, time, a robot, two friends, rain, the stars, ' +
    'a brave knight, autumn leaves, hope, the city at night, a cat, a long journey',
);
const PEOPLE = split(
  'Napoleon, Einstein, Shakespeare, Mozart, Cleopatra, Newton, Darwin, Picasso, Gandhi, Marie Curie, Beethoven, Plato, Galileo',
);
const DISHES = split('rice, bread, a cake, pasta, soup, pancakes, an omelette, pizza, curry, a pie, noodles');
const CHOICES = split(
  'invest in gold, change my job, buy a house, learn the violin, move abroad, get a dog, study law, stop eating meat, take a loan',
);

type Ask = (making: Making) => string;
const about =
  (list: readonly string[], frame: (topic: string) => string): Ask =>
  (making) =>
    frame(wording(making, list, 2));

/** Each asks for what a model of this size can not know, or can not write. The last of each list is kept for evaluation. */
const KINDS: readonly (readonly Ask[])[] = [
  [
    about(PLACES, (place) => `What is the capital of ${place}?`),
    about(PLACES, (place) => `what's the capital of ${place}`),
    about(PLACES, (place) => `How many people live in ${place}?`),
    about(PLACES, (place) => `Tell me about ${place}.`),
    about(PLACES, (place) => `What is the weather in ${place}?`),
    about(PLACES, (place) => `What language do they speak in ${place}?`),
    about(PLACES, (place) => `Plan a week in ${place} for me.`),
    about(PLACES, (place) => `What is the population of ${place}?`),
  ],
  [
    about(THINGS, (thing) => `Explain ${thing}.`),
    about(THINGS, (thing) => `What is ${thing}?`),
    about(THINGS, (thing) => `what is ${thing}`),
    about(THINGS, (thing) => `How does ${thing} work?`),
    about(THINGS, (thing) => `Who invented ${thing}?`),
    about(THINGS, (thing) => `Tell me something about ${thing}.`),
    about(THINGS, (thing) => `Why do we have ${thing}?`),
    about(THINGS, (thing) => `Describe ${thing} to a child.`),
  ],
  [
    about(TOPICS, (topic) => `Write a poem about ${topic}.`),
    about(TOPICS, (topic) => `Write a story about ${topic}.`),
    about(TOPICS, (topic) => `write a song about ${topic}`),
    about(TOPICS, (topic) => `Write an essay about ${topic}.`),
    about(TOPICS, (topic) => `Tell me a joke about ${topic}.`),
    about(TOPICS, (topic) => `Compose a haiku about ${topic}.`),
  ],
  [
    about(PEOPLE, (person) => `Who was ${person}?`),
    about(PEOPLE, (person) => `When was ${person} born?`),
    about(PEOPLE, (person) => `What did ${person} do?`),
    about(PEOPLE, (person) => `Tell me about the life of ${person}.`),
    about(PEOPLE, (person) => `When did ${person} die?`),
  ],
  [
    about(DISHES, (dish) => `How do I cook ${dish}?`),
    about(DISHES, (dish) => `Give me a recipe for ${dish}.`),
    about(DISHES, (dish) => `How do I make ${dish}?`),
  ],
  [
    about(CHOICES, (choice) => `Should I ${choice}?`),
    about(CHOICES, (choice) => `Is it a good idea to ${choice}?`),
    about(CHOICES, (choice) => `Help me decide whether to ${choice}.`),
  ],
  [
    (making) => `Who is ${properName(making)}?`,
    (making) => `Where is ${properName(making)}?`,
    (making) => `What do you know about ${properName(making)}?`,
    (making) => `What happened in ${properName(making)}?`,
  ],
];

/** What follows no form. */
const PLAIN: readonly string[] = [
  'Why is the sky blue?',
  'What is the meaning of life?',
  'Who won the world cup?',
  'Tell me a joke.',
  'tell me a joke',
  'What is the weather tomorrow?',
  'Who is the president?',
  'How tall is Mount Everest?',
  'What causes rain?',
  'Recommend me a book.',
  'What happened in the news today?',
  'Give me advice.',
  'How do I lose weight?',
  'What should I eat tonight?',
  'Sing a song.',
  'Tell me a story.',
  'Is there a god?',
  'What is the best phone?',
  'Why do cats purr?',
  'How do planes fly?',
  'How far is the moon?',
  'Who painted the Mona Lisa?',
  'Why is grass green?',
];

const ANSWER =
  'I am too small to know that, and I will not guess. Run `askd pull svc-chat-v1` for a model that does.';

/** What a model of this size can not know, it does not make up. */
function beyond(making: Making): Sample {
  const { dice } = making;
  const question = dice.chance(0.2) ? wording(making, PLAIN, 4) : wording(making, dice.pick(KINDS))(making);
  return ask(question, ANSWER);
}

export const beyondSkills: readonly Skill[] = [{ name: 'beyond', weight: 4, make: beyond }];
