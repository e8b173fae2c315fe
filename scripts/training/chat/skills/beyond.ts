import { begun, filled, phrase } from '../phrases.ts';
import { ask, wording, type Making, type Sample, type Skill } from '../sample.ts';
import { properName } from '../names.ts';

const split = (text: string) => text.split(', ');

/** The last few of each list are held out for evaluation. */
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

/** Each asks for something that a model of this size cannot know or write. */
const KINDS: readonly (readonly [topics: readonly string[], asked: string])[] = [
  [
    PLACES,
    '(what is|what was|name|tell me) the (capital|population|president|currency|climate|language|flag|history) of {x}(?|)|' +
      '(how many people live|what language do they speak|what do people eat|what is the weather|how warm is it|how is the weather) in {x}(?|)|' +
      '(tell me|write something|say something|what do you know|give me facts) about {x}|(plan|describe) (a week|a trip|a holiday|three days) in {x}( for me|)|(where|how big|how old|how far away) is {x}?',
  ],
  [
    THINGS,
    '(explain|describe|define|teach me|tell me something about|summarize|write about|give me facts about|what do you know about) {x}( to a child| in a sentence| briefly| please| in simple words|)|' +
      '(what is|what exactly is|how does|how old is|how big is) {x}( work|)?|(who invented|who discovered|why do we have|what causes|where does one find|how do I make) {x}?|why is {x} (important|so big|there)?',
  ],
  [
    TOPICS,
    '(write|compose|make up|give me|can you write|please write) (a poem|a story|a song|an essay|a haiku|a short story|a letter|a speech|lyrics) about {x}|(tell me|do you know) a (joke|story|riddle) about {x}',
  ],
  [
    PEOPLE,
    '(who was|what did|when was|where was|why is|how old was|how did) {x}( do| born| famous|)?|(tell me about|describe|summarize) (the life of |the work of |){x}|(when did|where did|how did) {x} (die|live|become famous)?',
  ],
  [
    DISHES,
    '(how do I|how can I|how does one|how to) (cook|make|bake|prepare|serve) {x}?|(give me|write|find|do you know) a recipe for {x}|what do I need (for|to make) {x}?',
  ],
  [
    CHOICES,
    '(should I|would you|do you think I should) {x}?|(is it|would it be) (a good idea|wise|smart) to {x}?|(help me decide whether to|give me reasons to|advise me whether to) {x}',
  ],
];
const UNKNOWN =
  '(who|where|what|how old|how tall) is {x}?|(what do you know|tell me something|tell me|what can you say) about {x}|what happened in {x}?|when was {x} (born|built|founded)?|(why is|is) {x} (famous|known|real)?';

/** Questions without a common form. */
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

/** The model learns not to make up what it cannot know. */
function beyond(making: Making): Sample {
  const { dice } = making;
  if (dice.chance(0.1)) return ask(begun(making, wording(making, PLAIN, 4)), ANSWER);
  const [topics, asked] = dice.pick(KINDS);
  const [topic, words] = dice.chance(0.15)
    ? [properName(making), phrase(making, `(|hey, |so, )(${UNKNOWN})`)]
    : [wording(making, topics, 2), phrase(making, `(|hey, |so, )(${asked})`)];
  return ask(begun(making, filled(words, { x: topic })), ANSWER);
}

export const beyondSkills: readonly Skill[] = [{ name: 'beyond', weight: 4, make: beyond }];
