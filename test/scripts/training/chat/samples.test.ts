import { describe, expect, test } from 'vitest';
import { COMMANDS } from '../../../../cli/commands.ts';
import { samplesOf } from '../../../../scripts/training/chat/corpus.ts';
import { RECIPES } from '../../../../scripts/training/chat/models.ts';
import { renderer } from '../../../../scripts/training/chat/render.ts';
import { GOALS } from '../../../../scripts/training/chat/skills/help-goals.ts';
import { fits } from '../../../../src/agent/schemas.ts';

const SAMPLES = 150;
const RECIPE_LIST = Object.values(RECIPES);
const SKILLS = RECIPE_LIST.flatMap(({ skills }) => skills);
const render = renderer(RECIPES.chat.template);
const skill = (name: string) => SKILLS.find((each) => each.name === name) ?? SKILLS[0]!;
const asked = (name: string, split: 'train' | 'held' = 'held') =>
  [...samplesOf(skill(name), split, SAMPLES)].map(({ messages, answer }) => ({
    question: messages.at(-1)?.content ?? '',
    answer,
  }));

test('questions about a command have several wordings, and mean one that exists', () => {
  const names = COMMANDS.map(({ name }) => name);
  expect(Object.keys(GOALS).filter((name) => !names.includes(name))).toEqual([]);
  for (const goals of Object.values(GOALS)) expect(new Set(goals).size).toBeGreaterThanOrEqual(5);
});

test('the same seed makes the same samples', () => {
  for (const each of SKILLS)
    expect([...samplesOf(each, 'train', 5)]).toEqual([...samplesOf(each, 'train', 5)]);
});

test('a sample fits into the context that the model is trained for, by far', () => {
  for (const { skills, template } of RECIPE_LIST)
    for (const sample of skills.flatMap((each) => [...samplesOf(each, 'train', 30)])) {
      const { prompt, answer } = renderer(template)(sample);
      expect(prompt.endsWith('<|assistant|>')).toBe(true);
      expect(answer.endsWith('<|im_end|>')).toBe(true);
      expect(prompt.length + answer.length).toBeLessThan(4000);
    }
});

test('no two skills have the same name, so each has its own random numbers', () => {
  const names = SKILLS.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
});

test('what is learned first is among the skills', () => {
  for (const { skills, first } of RECIPE_LIST)
    expect(skills.map(({ name }) => name)).toEqual(expect.arrayContaining([...first.skills]));
});

test('what the agent binds to a schema is answered in that schema', () => {
  const bound = SKILLS.flatMap((each) => [...samplesOf(each, 'train', SAMPLES)]).filter(
    ({ schema }) => schema,
  );
  expect(bound.length).toBeGreaterThan(4 * SAMPLES);
  for (const { schema = {}, answer } of bound) expect(fits(schema, JSON.parse(answer)), answer).toBe(true);
});

test('sums are right at every step', () => {
  const steps = ['add', 'subtract', 'multiply', 'divide'].flatMap((name) =>
    asked(name).flatMap(({ answer }) => answer.split(/[,:] /)),
  );
  expect(steps.length).toBeGreaterThan(SAMPLES * 6);
  for (const step of steps) {
    const [sum = '', result] = step.split(/ ?= ?/);
    expect(valueOf(sum), step).toBe(Number(result));
  }
});

/** Products and quotients first, then sums, as they are written here. */
function valueOf(sum: string): number {
  const tokens = sum.replaceAll(' ', '').split(/([+\-×/])/);
  const worked: (string | number)[] = [Number(tokens[0])];
  for (let at = 1; at < tokens.length; at += 2) {
    const [sign, next] = [tokens[at] ?? '', Number(tokens[at + 1])];
    const before = worked.at(-1) as number;
    if (sign === '×') worked[worked.length - 1] = before * next;
    else if (sign === '/') worked[worked.length - 1] = before / next;
    else worked.push(sign === '-' ? -next : next);
  }
  return worked.reduce<number>((total, part) => total + Number(part), 0);
}

test('what is quoted is in the text, word for word, and what is absent is not', () => {
  for (const { question, answer } of asked('read')) expect(question).toContain(answer);
  for (const { question, answer } of asked('read-absent'))
    if (answer !== 'The text does not say that.') expect(question).toContain(answer);
});

describe('evaluation asks questions that training never saw', () => {
  test.each(['text-reverse', 'add', 'read-short', 'help', 'code'])('%s', (name) => {
    const seen = new Set(asked(name, 'train').map(({ question }) => question));
    const questions = asked(name).map(({ question }) => question);
    expect(questions.filter((question) => seen.has(question))).toEqual([]);
  });
});

test('the tools are shown by the template, as the engine shows them', () => {
  for (const sample of samplesOf(skill('tools'), 'held', 20)) {
    const { prompt, answer } = render(sample);
    for (const { name } of sample.tools ?? []) expect(prompt).toContain(`\n${name}: `);
    if (sample.messages.length === 1)
      expect(answer).toMatch(/^<tool_call>\n\{"name": "\w+", "arguments": \{.*\}\}\n<\/tool_call>/);
  }
});
