import { expect, test } from 'vitest';
import { COMMANDS } from '../../../../cli/commands.ts';
import { samplesOf } from '../../../../scripts/training/chat/corpus.ts';
import { ASKED } from '../../../../scripts/training/chat/skills/help-asked.ts';
import { FRAMES, GOALS } from '../../../../scripts/training/chat/skills/help-goals.ts';
import { WORDED } from '../../../../scripts/training/chat/skills/help-words.ts';
import { WANTED } from '../../../../scripts/training/chat/skills/help.ts';
import { referenceSkills } from '../../../../scripts/training/chat/skills/reference.ts';
import { SHORT } from '../../../../scripts/training/chat/skills/typed.ts';
import { namedIn } from '../../../../scripts/training/evaluate/help.ts';
import { readLines } from '../../../../scripts/training/evaluate/lines.ts';
import { ENDPOINTS } from '../../../../src/api/endpoints.ts';

const names = COMMANDS.map(({ name }) => name);
const asked = (await readLines()).filter(({ check }) => check === 'command');

/** Ignoring short forms and punctuation: "What's on?" is what is on. A grammar keeps its parentheses and bars. */
function plain(text: string): string {
  const letters = text.toLowerCase().replace(/[^a-z0-9_ ()|]/g, '');
  const short = Object.entries(SHORT).reduce((line, [long, each]) => line.replaceAll(long, each), letters);
  return short.replace(/ +/g, ' ').trim();
}
const questions = asked.map(({ input = '' }) => plain(input).replace(/ (pls|thx|thanks)$/, ''));
const madeBy = (grammar: string) => {
  const pattern = new RegExp(`^(${plain(grammar)})$`);
  return questions.filter((question) => pattern.test(question));
};

test("every command is asked for in people's own words, and what is expected exists", () => {
  const known = new Set([...names, ...ENDPOINTS.map(({ method, path }) => `${method} ${path}`)]);
  const expected = asked.flatMap(({ expect }) => expect as string[]);
  expect(expected.filter((name) => !known.has(name))).toEqual([]);
  expect(names.filter((name) => !expected.includes(name))).toEqual([]);
  expect(asked.length).toBeGreaterThan(200);
});

test('no wording of any command can become one of the questions', () => {
  const made = Object.values(ASKED).flatMap(({ wanted, said }) => [
    ...(wanted === '' ? [] : madeBy(`(${WANTED.trim()})( |)(${wanted})`)),
    ...(said === '' ? [] : madeBy(said)),
  ]);
  expect(made).toEqual([]);
  expect(madeBy(`(a|b|)(${questions[0]})( please|)`)).toEqual([questions[0]]);
});

test('no goal of any command, in any frame, is one of the questions', () => {
  const goals = new Set([...Object.values(GOALS), ...Object.values(WORDED)].flat().map(plain));
  const framed = questions.filter((question) =>
    FRAMES.map((frame) => plain(frame('|')).split('|')).some(
      ([before = '', after = '']) =>
        question.startsWith(before) &&
        question.endsWith(after) &&
        goals.has(question.slice(before.length, question.length - after.length).trim()),
    ),
  );
  expect(framed).toEqual([]);
});

test('nothing that training asks about endpoints is one of the questions', () => {
  const trained = referenceSkills.flatMap((skill) =>
    [...samplesOf(skill, 'train', 2000)].map(({ messages }) => plain(messages[0]?.content ?? '')),
  );
  expect(trained.filter((question) => questions.includes(question))).toEqual([]);
});

test('an answer names the longest command that its first code begins with, or an endpoint', () => {
  expect(namedIn('Run `askd keys show ask_AbC1`: show one key.', names)).toBe('keys show');
  expect(namedIn('Run `askd agent list`: list the latest runs.', names)).toBe('agent list');
  expect(namedIn('Run `askd agent "Who?"`, or `askd chat`.', names)).toBe('agent');
  expect(namedIn('`POST /v1/rerank`. It needs a key.', names)).toBe('POST /v1/rerank');
  expect(namedIn('Run `askd frobnicate`.', names)).toBeUndefined();
  expect(namedIn('I will not guess.', names)).toBeUndefined();
});
