import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Merge } from './bpe.ts';
import { exportModel } from './export.ts';
import { recipeOf } from './models.ts';

/** Turns what the trainer saved into the model that ships, with its card. */
const [work, folder] = process.argv.slice(2);
if (work === undefined || folder === undefined)
  throw new Error('Usage: node export-gguf.js FOLDER_OF_THE_TRAINING FOLDER_OF_THE_MODEL');
// The folder has the name of the model.
const model = path.basename(path.resolve(folder));
const { template, data } = recipeOf(model);
const name = `starter-${model}.gguf`;
const file = path.join(folder, name);
await mkdir(folder, { recursive: true });
const merges = JSON.parse(await readFile(path.join(work, 'merges.json'), 'utf8')) as Merge[];
const weights = path.join(work, 'weights.safetensors');
const { parameters, tokens, minutes } = await exportModel({
  weights,
  merges,
  file,
  template,
  name: model === 'chat' ? 'askd starter' : `askd starter, ${model}`,
});
const bytes = await readFile(file);
const facts = {
  kind: `a llama of ${millions(parameters)} million parameters, 8 bits, with ${merges.length + 262} tokens of its own`,
  data,
  training: `${millions(tokens)} million tokens in ${minutes} minutes on at most two processor cores, from nothing`,
  'licence of the data': "Apache-2.0, all of it is askd's own",
};
const files = { [name]: createHash('sha256').update(bytes).digest('hex') };
await writeFile(path.join(folder, 'card.json'), `${JSON.stringify({ facts, files }, null, 2)}\n`);
console.log(`${file}: ${bytes.length} bytes`);

function millions(count: number): string {
  return (count / 1e6).toFixed(1);
}
