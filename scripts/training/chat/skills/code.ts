import { anyWord, capital } from '../names.ts';
import { begun, filled, phrase } from '../phrases.ts';
import { ask, type Making, type Sample, type Skill } from '../sample.ts';
import { listSnippets } from '../words/snippets/lists.ts';
import { numberSnippets } from '../words/snippets/numbers.ts';
import { programSnippets } from '../words/snippets/programs.ts';
import type { Snippet } from '../words/snippets/snippet.ts';
import { textSnippets } from '../words/snippets/texts.ts';

export const SNIPPETS: readonly Snippet[] = [
  ...numberSnippets,
  ...listSnippets,
  ...textSnippets,
  ...programSnippets,
];

export const NOT_CODED =
  'I know some eighty small functions, and not that one. For more run `askd pull svc-code-v1`.';

type Language = 'js' | 'python';
const SPOKEN: Readonly<Record<Language, readonly string[]>> = {
  js: ['JavaScript', 'JavaScript', 'javascript', 'JS', 'js'],
  python: ['Python', 'Python', 'python'],
};

/** {does} is "reverses a text", {do} is "reverse a text". */
const FUNCTIONS =
  '(write|give me|make|I need|show me|create|please write|can you write|I want) a {l} function( |{n}) that {does}(.|)|{l} function( |{n}) that {does}(.|)|' +
  '(write|give me|make|I need|show me|create|please write|can you write) a function( |{n}) in {l} (that|which) {does}(.|)|' +
  '(write|make|give me|I need|create) a {l} function( |{n}) to {do}(.|)|{l} function( |{n}) to {do}|(in|using) {l}, (write|make|give me) a function( |{n}) (that|which) {does}(.|)';
const UNNAMED =
  '|(how do I|how can I|how to|how does one|how would you) {do} in {l}(?|)|{do} in {l}(.|, please|)|{l}: {do}|(write|give me|show me) {l} code (that {does}|to {do})(.|)';
const LINES =
  '(how do I|how can I|how to|how would you) {do} in {l}(?|)|{do} in {l}(.|, please|)|{l}: {do}|(write|give me|show me|I need|make) {l} (code|lines|a program|a loop|a script) (that {does}|to {do})(.|)|(write|give me|show me) (a program|a script|code) in {l} that {does}(.|)';
const CLASSES =
  '(write|give me|make|I need|show me|create|please write|can you write|I want) a {l} class( |{n}) for {do}(.|)|{l} class( |{n}) for {do}|(write|give me|make|I need) a class( |{n}) in {l} for {do}(.|)|(in|using) {l}, (write|make) a class( |{n}) for {do}(.|)|(how do I|how to) (write|make) a class( |{n}) for {do} in {l}(?|)';
const NAMED = [' {name}', ' named {name}', ' called {name}', ' with the name {name}', ' {name}'];

/** Words that are not valid names in one of the languages. */
const RESERVED =
  'and as break case class del do else for from if in is let new not or this try var while with'.split(' ');

function someWordsOfName(making: Making): string[] {
  for (;;) {
    const words = making.dice.list(making.dice.int(1, 2), () => anyWord(making));
    if (words.length > 1 || !words.some((word) => RESERVED.includes(word))) return words;
  }
}

const thirdPerson = (goal: string) =>
  goal.replace(/^\w+/, (verb) => {
    if (/(?:[sx]|[cs]h)$/.test(verb)) return `${verb}es`;
    return /[^aeiou]y$/.test(verb) ? `${verb.slice(0, -1)}ies` : `${verb}s`;
  });

const camel = (words: readonly string[]) =>
  words.map((word, index) => (index === 0 ? word : capital(word))).join('');
const pascal = (words: readonly string[]) => words.map(capital).join('');

/** How the language writes names. */
function written(words: readonly string[], { kind }: Pick<Snippet, 'kind'>, language: Language): string {
  if (kind === 'class') return pascal(words);
  return language === 'js' ? camel(words) : words.join('_');
}

function asked(making: Making, kind: Snippet['kind'], places: Record<string, string>): string {
  const { name } = places;
  let grammar = kind === 'class' ? CLASSES : kind === 'lines' ? LINES : FUNCTIONS;
  if (kind === 'function' && name === undefined) grammar += UNNAMED;
  const shown = phrase(making, grammar.replaceAll('( |{n})', '{n}'));
  const naming = name === undefined ? '' : filled(making.dice.pick(NAMED), { name });
  return begun(making, filled(shown, { ...places, n: naming }));
}

export function codeOf(snippet: Snippet, language: Language, name?: string): string {
  return snippet[language].replaceAll('NAME', name ?? written(snippet.name.split('_'), snippet, language));
}

function code(making: Making): Sample {
  const { dice } = making;
  const snippet = dice.pick(SNIPPETS);
  const language = dice.pick(['js', 'python'] as const);
  const isNamed = snippet.kind !== 'lines' && dice.chance(0.4);
  const name = isNamed ? written(someWordsOfName(making), snippet, language) : undefined;
  const goal = phrase(making, snippet.goals);
  const question = asked(making, snippet.kind, {
    l: dice.pick(SPOKEN[language]),
    do: goal,
    does: thirdPerson(goal),
    ...(name !== undefined && { name }),
  });
  return ask(question, `\`\`\`${language}\n${codeOf(snippet, language, name)}\n\`\`\``);
}

/** Tasks that need more than a few lines, or that no snippet covers. */
const LARGER =
  '(parse|validate|read|load|write|convert|download|compress|encrypt|render|upload|save|scan|display) (an XML file|a PDF|JSON from a web page|an email address|a web page|an image|a video|a spreadsheet|a CSV file|a password|a database table|a phone number|an IP address|a zip file|the weather)|' +
  '(solve|compute|approximate|simulate|draw|plot|train|optimize|visualize) (a sudoku|the travelling salesman problem|a differential equation|a neural network|a chess game|the mandelbrot set|the n queens problem|a maze|a linear regression|the roots of a polynomial|a pendulum|a matrix product|the digits of pi)|' +
  '(connect to|query|start|deploy|test|monitor|set up) (a database|a server|an API|a web server|a websocket|a Docker container|a message queue|a cluster)|' +
  '(find|detect|compute|get) (the shortest path in a graph|a cycle in a linked list|the edit distance of two strings|the longest common subsequence|faces in a picture|the inverse of a matrix|the determinant of a matrix|all permutations of a list|the convex hull of points)|' +
  '(send|receive|schedule|sign) (an email|a message|an HTTP request|a text message|a notification|a payment)|(balance|traverse|print|search) (a binary tree|a graph|a red-black tree|a trie|a heap)';
const OTHER_LANGUAGES = 'Rust,Go,Java,C,C++,C#,Haskell,Ruby,PHP,Kotlin,Swift,Lua,Perl,Bash,SQL'.split(',');
const TASKS =
  '(explain|review|fix|debug|refactor|document|improve|optimize) (this|my|the) (code|function|program|script|bug|class)( for me| please|)|why (does|is) (my|this|the) (code|program|script|loop) (not work|so slow|crash|fail|wrong)(?|)|' +
  '(write|make|build|create) (a|me a) (website|game|chat bot|calculator app|web server|compiler|to-do app|mobile app|spreadsheet|operating system|login page)( in {l}| with {l}|)|(what is|explain|tell me about) (recursion|a closure|a pointer|object-oriented programming|a monad|big o notation|an algorithm|a decorator|a promise)( in {l}|)(?|)';

function codeBeyond(making: Making): Sample {
  const { dice } = making;
  const language = dice.pick(['js', 'python'] as const);
  const draw = dice.random();
  const l = dice.pick(SPOKEN[language]);
  if (draw < 0.2) return ask(begun(making, filled(phrase(making, TASKS), { l })), NOT_CODED);
  const snippet = dice.pick(SNIPPETS.filter(({ kind }) => kind === 'function'));
  const isOther = draw < 0.35;
  let goal = isOther ? phrase(making, snippet.goals) : phrase(making, LARGER);
  // A known wording about something that it does not know.
  if (draw > 0.75)
    goal = `${phrase(making, snippet.goals).split(' ').slice(0, dice.int(1, 3)).join(' ')} ${anyWord(making)} ${anyWord(making)}`;
  const question = asked(making, 'function', {
    l: isOther ? dice.pick(OTHER_LANGUAGES) : l,
    do: goal,
    does: thirdPerson(goal),
    ...(dice.chance(0.2) && { name: written(someWordsOfName(making), snippet, language) }),
  });
  return ask(question, NOT_CODED);
}

export const codeSkills: readonly Skill[] = [
  { name: 'code', weight: 2.5, make: code },
  { name: 'code-beyond', weight: 0.7, make: codeBeyond },
];
