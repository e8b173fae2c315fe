import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Tokenizer } from './bpe.ts';
import { createDice } from './dice.ts';
import type { Recipe } from './models.ts';
import { renderer } from './render.ts';
import type { Sample, Skill } from './sample.ts';

/** Far apart, so that neither set can be derived from the other. */
const SEEDS = { train: 7, held: 1007 };

export type Split = keyof typeof SEEDS;

/** The same samples for the same count, skill by skill: changing one skill leaves the others as they were. */
export function* samplesOf(
  skill: Skill,
  split: Split,
  count: number,
  pieces?: readonly string[],
): Generator<Sample> {
  const salt = Array.from(skill.name).reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 65_521, 1);
  const making = {
    dice: createDice(SEEDS[split] * 65_536 + salt),
    isHeld: split === 'held',
    ...(pieces && { pieces }),
  };
  for (let made = 0; made < count; made++) yield skill.make(making);
}

/** Texts of every skill, for the tokenizer to learn from. */
export function* texts({ skills, template }: Recipe, perWeight: number): Generator<string> {
  const render = renderer(template);
  for (const skill of skills) {
    for (const sample of samplesOf(skill, 'train', Math.ceil(perWeight * skill.weight))) {
      const { prompt, answer } = render(sample);
      yield prompt.replace(/<\|\w+\|>/g, '\n');
      yield answer.replace(/<\|\w+\|>/g, '\n');
    }
  }
}

/**
 * Tokens one after another, and for each sample a row: where it starts, its prompt's tokens, all its tokens, its
 * skill.
 */
export async function writeSplit(
  folder: string,
  split: Split,
  { recipe, tokenizer, count }: { recipe: Recipe; tokenizer: Tokenizer; count: (skill: Skill) => number },
): Promise<{ samples: number; tokens: number }> {
  await mkdir(folder, { recursive: true });
  const pieces = split === 'train' ? tokenizer.names.filter((name) => /^[a-z]+$/.test(name)) : undefined;
  const tokens: number[] = [];
  const rows: number[] = [];
  const render = renderer(recipe.template);
  recipe.skills.forEach((skill, index) => {
    for (const sample of samplesOf(skill, split, count(skill), pieces)) {
      const { prompt, answer } = render(sample);
      const before = tokenizer.encode(prompt);
      const after = sample.isSpelled ? tokenizer.spell(answer) : tokenizer.encode(answer);
      rows.push(tokens.length, before.length, before.length + after.length, index);
      for (const token of before) tokens.push(token);
      for (const token of after) tokens.push(token);
    }
  });
  await writeFile(path.join(folder, `${split}.tokens`), Uint16Array.from(tokens));
  await writeFile(path.join(folder, `${split}.rows`), Int32Array.from(rows));
  return { samples: rows.length / 4, tokens: tokens.length };
}
