import { expect, test } from 'vitest';
import { COMMANDS } from '../../../../cli/commands.ts';
import { samplesOf } from '../../../../scripts/training/chat/corpus.ts';
import { createDice } from '../../../../scripts/training/chat/dice.ts';
import { ASKED } from '../../../../scripts/training/chat/skills/help-asked.ts';
import { helpSkills, UNASKED } from '../../../../scripts/training/chat/skills/help.ts';
import { typed } from '../../../../scripts/training/chat/skills/typed.ts';

const SAMPLES = 3000;

test('every command, and nothing else, has goals and questions as people type them', () => {
  const names = COMMANDS.map(({ name }) => name);
  expect(UNASKED).toEqual([]);
  expect(Object.keys(ASKED).sort()).toEqual([...names].sort());
});

test('each kind of question about a command has wordings for training and others for evaluation', () => {
  for (const split of ['train', 'held'] as const) {
    const questions = helpSkills.flatMap((skill) =>
      [...samplesOf(skill, split, SAMPLES)].map(({ messages }) => messages[0]?.content ?? ''),
    );
    expect(new Set(questions).size).toBeGreaterThan(SAMPLES);
    expect(questions.filter((question) => question.trim() === '' || /[(|)~]/.test(question))).toEqual([]);
  }
});

test('a line typed in a hurry differs from the sentence by its marks, short forms and one word at most', () => {
  const line = 'i do not want to delete the conversation';
  const making = { dice: createDice(5), isHeld: false };
  const lines = Array.from({ length: 300 }, () => typed(making, line));
  expect(new Set(lines).size).toBeGreaterThan(50);
  expect(lines).toContain(line);
  expect(lines.some((each) => each.includes('dont wanna'))).toBe(true);
  for (const each of lines) {
    const kept = line.split(' ').filter((word) => each.toLowerCase().includes(word));
    expect(kept.length, each).toBeGreaterThanOrEqual(4);
  }
});
