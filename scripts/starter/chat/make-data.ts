import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createTokenizer, learnMerges, type Merge } from './bpe.ts';
import { texts, writeSplit } from './corpus.ts';
import { SKILLS } from './skills.ts';
import { UNASKED } from './skills/help.ts';

const MERGES = 2810;
const TEXTS_PER_WEIGHT = 250;
const TRAIN_PER_WEIGHT = 5000;
const HELD_PER_SKILL = 200;

const [folder, merges] = process.argv.slice(2);
if (folder === undefined) throw new Error('Usage: node make-data.js FOLDER [MERGES.json of an earlier run]');
await mkdir(folder, { recursive: true });

if (UNASKED.length > 0) throw new Error(`Say in skills/help-goals.ts who needs: ${UNASKED.join(', ')}`);

/** A model that is trained on keeps its tokens, whatever became of the texts. */
const learned = merges
  ? (JSON.parse(await readFile(merges, 'utf8')) as Merge[])
  : learnMerges(texts(TEXTS_PER_WEIGHT), MERGES);
const tokenizer = createTokenizer(learned);
await writeFile(path.join(folder, 'merges.json'), JSON.stringify(learned));
console.log(`${tokenizer.names.length} tokens`);
for (const [split, count] of [
  ['held', () => HELD_PER_SKILL],
  ['train', ({ weight }: { weight: number }) => Math.ceil(weight * TRAIN_PER_WEIGHT)],
] as const) {
  const made = await writeSplit(folder, split, { tokenizer, count });
  console.log(`${split}: ${made.samples} samples, ${made.tokens} tokens`);
}
const meta = {
  vocabulary: tokenizer.names.length,
  skills: SKILLS.map(({ name }) => name),
  weights: Object.fromEntries(SKILLS.map(({ name, weight }) => [name, weight])),
};
await writeFile(path.join(folder, 'meta.json'), JSON.stringify(meta, null, 2));
