import { begun, phrase } from '../phrases.ts';
import { ask, type Making, type Sample, type Skill } from '../sample.ts';

type Said = readonly [asked: string, answer: string];

const SAID: readonly Said[] = [
  [
    "who( exactly|) are you|what( exactly|) are you|what is your name|what's your name|(what|which) (model|ai|assistant) (is this|are you|am I talking to)|(please |)(introduce|describe) yourself|are you (chatgpt|a human|real|a robot|a bot|an ai)|tell me (about yourself|who you are|your name)|(hi|hello|hey), who are you",
    'I am the small starter model of askd for words: I translate simple sentences between six languages and write small functions. For more run `askd pull svc-translate-v1` or `askd pull svc-code-v1`.',
  ],
  [
    '(hi|hello|hey|good day|greetings|hello again|hi again)( there| you| askd| friend|)|(nice|good) to (meet|see) you|is (anybody|anyone|somebody) there|are you there',
    'Hello! Give me a simple sentence to translate, or ask for a small function in Python or JavaScript.',
  ],
  [
    'what (can|could) you (do|help me with|translate|write)(| today| here)|what are you (good at|good for|made for|able to do)|what can I (ask|ask you|do here)|(help|help me|I need help|can you help me)|(which|what) languages do you (know|speak|understand|translate)|(which|what) (languages|programming languages) (are there|can you do)',
    'I translate simple sentences between English, German, French, Spanish, Italian and Portuguese, and write small functions in Python and JavaScript.',
  ],
  [
    '(thanks|thank you|many thanks|great thanks|ok thanks|thanks a lot|great|perfect|very good|nice)(| a lot| for that| for your help|, thank you)',
    'You are welcome.',
  ],
];
const BEYOND =
  '(what is|name|tell me) the (capital|population|president|history) of (France|Japan|Brazil|Egypt|Rome|Canada|Norway)(?|)|(write|compose|tell me) (a poem|a story|a joke|a song|an essay) about (love|the sea|summer|a dog|winter|time)|why is the (sky blue|grass green|sea salty)?|(how do I|how can I) (cook rice|bake bread|lose weight|learn to swim|add a webhook|create an API key)?|what is (the weather tomorrow|the meaning of life|12 + 31|7 times 8)?|(who|where|when) was (Napoleon|Einstein|Mozart|Newton)( born|)?|(summarize|shorten|read) (this|the) (text|article|paragraph)|(recommend|find) (me |)a (book|film|restaurant|hotel)';
const UNKNOWN =
  'I know simple translations and small functions, and not that. For more run `askd pull svc-chat-v1`.';

function identity(making: Making): Sample {
  if (making.dice.chance(0.35)) return ask(begun(making, phrase(making, BEYOND)), UNKNOWN);
  const [asked, answer] = making.dice.pick(SAID);
  return ask(begun(making, phrase(making, `(${asked})(|?|.|!|)`)), answer);
}

export const wordsIdentitySkills: readonly Skill[] = [
  { name: 'words-identity', weight: 0.4, make: identity },
];
