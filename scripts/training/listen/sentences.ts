import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { normalise } from '../../../models/engines/speech/normalise.ts';
import { samplesOf, type Split } from '../chat/corpus.ts';
import { createDice } from '../chat/dice.ts';
import { CHAT_SKILLS, WORDS_SKILLS } from '../chat/skills.ts';

/** Commands are run in the project's folder. */
const ROOT = process.cwd();

export type Kind = 'talk' | 'docs' | 'words';
export type Sentence = { kind: Kind; words: readonly string[] };

/** What people say to the starter. The other skills are about letters, or about names that are made up. */
const TALK = [
  ...[
    'help',
    'help-what',
    'which-endpoint',
    'error-status',
    'identity',
    'beyond',
    'turns',
    'tools',
    'words-identity',
  ],
  ...[
    'add',
    'subtract',
    'multiply',
    'divide',
    'compare',
    'date-weekday',
    'date-next',
    'date-month',
    'code',
    'translate',
  ],
];
const SAMPLES_PER_SKILL = 600;
const WORDS_MIN = 2;
const WORDS_MAX = 14;
/** A word that is rarer is mostly a name or a piece of code. */
const SEEN_MIN = 4;
/** One sentence of the documentation in so many is kept for evaluation. */
const HELD_OF = 12;

/** All sentences of a split, each once, if all their words are in the vocabulary. */
export function sentencesOf(split: Split): Sentence[] {
  const known = new Set(vocabulary());
  const trained = split === 'held' ? new Set(spoken('train').map(textOf)) : new Set<string>();
  return unique(spoken(split)).filter(
    (sentence) => !trained.has(textOf(sentence)) && sentence.words.every((word) => known.has(word)),
  );
}

/** Word sequences that no sentence suggests, so that every word is pronounced often enough. */
export function scrambled(count: number, seed: number): Sentence[] {
  const dice = createDice(seed);
  const known = vocabulary();
  return dice.list(count, () => ({
    kind: 'words',
    words: dice.list(dice.int(3, 8), () => dice.pick(known)),
  }));
}

export function vocabulary(): string[] {
  const counts = new Map<string, number>();
  for (const { words } of spoken('train')) {
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const often = [...counts].filter(([, count]) => count >= SEEN_MIN).map(([word]) => word);
  return [...new Set([...often, ...ideas()])].sort();
}

const textOf = ({ words }: Sentence) => words.join(' ');

function spoken(split: Split): Sentence[] {
  return [...talk(split), ...documentation(split)];
}

function talk(split: Split): Sentence[] {
  const skills = [...CHAT_SKILLS, ...WORDS_SKILLS].filter(({ name }) => TALK.includes(name));
  return skills.flatMap((skill) =>
    [...samplesOf(skill, split, SAMPLES_PER_SKILL)].flatMap(({ messages, answer }) => {
      const said = messages.filter(({ role }) => role === 'user').map(({ content }) => content);
      return toSentences('talk', [...said, answer].join('\n'));
    }),
  );
}

function documentation(split: Split): Sentence[] {
  const folder = path.join(ROOT, 'docs');
  const pages = readdirSync(folder)
    .filter((name) => name.endsWith('.md'))
    .sort();
  const text = pages.map((name) => readFileSync(path.join(folder, name), 'utf8')).join('\n\n');
  const prose = text
    .replace(/```[^]*?```/g, '\n')
    .replace(/\]\([^)]*\)/g, ' ')
    .replace(/[[*|#>]/g, '\n');
  const unwrapped = prose.replace(/(?<=[\w,;]) *\n(?=[a-z])/g, ' ');
  return toSentences('docs', unwrapped).filter(({ words }) => isHeld(words) === (split === 'held'));
}

/** By its letters, so that a growing page moves no sentence from one split into the other. */
function isHeld(words: readonly string[]): boolean {
  const sum = [...words.join(' ')].reduce((all, letter) => (all * 31 + letter.charCodeAt(0)) % 65_521, 7);
  return sum % HELD_OF === 0;
}

/** The English column of the lexicon. */
function ideas(): string[] {
  const lines = readFileSync(path.join(ROOT, 'scripts/training/text/lexicon.txt'), 'utf8').split('\n');
  const english = lines.filter((line) => !line.startsWith('#')).map((line) => line.split('|')[0] ?? '');
  return english
    .join(' ')
    .split(/[\s_]+/)
    .filter((word) => /^[a-z]+$/.test(word));
}

function toSentences(kind: Kind, text: string): Sentence[] {
  const pieces = text.split(/[\n:;()"]|[.?!](?:\s|$)/);
  return pieces.flatMap((piece) => {
    if (/[^\x20-\x7e]|[`{}<>_\\/=+*]/.test(piece)) return [];
    const words = normalise(piece).toLowerCase().replace(/[-,]/g, ' ').split(/\s+/).filter(Boolean);
    const isSpeech = words.every((word) => /^[a-z]+(?:'[a-z]+)?$/.test(word));
    return isSpeech && words.length >= WORDS_MIN && words.length <= WORDS_MAX ? [{ kind, words }] : [];
  });
}

function unique(sentences: readonly Sentence[]): Sentence[] {
  return [...new Map(sentences.map((sentence) => [textOf(sentence), sentence])).values()];
}
