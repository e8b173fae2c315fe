import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { createTokenizer, learnMerges, type Merge } from './bpe.ts';
import { texts, writeSplit } from './corpus.ts';
import { recipeOf } from './models.ts';
import { UNASKED } from './skills/help.ts';

const HELD_PER_SKILL = 200;

const { values, positionals } = parseArgs({
  options: {
    model: { type: 'string', default: 'chat' },
    /** Samples in proportion to a skill's weight; a short stage needs fewer. */
    samples: { type: 'string' },
  },
  allowPositionals: true,
});
const [folder, merges] = positionals;
if (folder === undefined)
  throw new Error(
    'Usage: node make-data.js FOLDER [MERGES.json of an earlier run] [--model words] [--samples 1000]',
  );
const recipe = recipeOf(values.model);
const samplesPerWeight = Number(values.samples ?? recipe.samplesPerWeight);
await mkdir(folder, { recursive: true });

if (UNASKED.length > 0) throw new Error(`Say in skills/help-goals.ts who needs: ${UNASKED.join(', ')}`);

/** A model whose training continues keeps its tokens, even if the texts have changed. */
const learned = merges
  ? (JSON.parse(await readFile(merges, 'utf8')) as Merge[])
  : learnMerges(texts(recipe, recipe.textsPerWeight), recipe.merges);
const tokenizer = createTokenizer(learned);
await writeFile(path.join(folder, 'merges.json'), JSON.stringify(learned));
console.log(`${tokenizer.names.length} tokens`);
for (const [split, count] of [
  ['held', () => HELD_PER_SKILL],
  ['train', ({ weight }: { weight: number }) => Math.ceil(weight * samplesPerWeight)],
] as const) {
  const made = await writeSplit(folder, split, { recipe, tokenizer, count });
  console.log(`${split}: ${made.samples} samples, ${made.tokens} tokens`);
}
const { skills, shape, first } = recipe;
const meta = {
  vocabulary: tokenizer.names.length,
  shape,
  first,
  skills: skills.map(({ name }) => name),
  weights: Object.fromEntries(skills.map(({ name, weight }) => [name, weight])),
};
await writeFile(path.join(folder, 'meta.json'), JSON.stringify(meta, null, 2));
