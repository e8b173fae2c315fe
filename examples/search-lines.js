// Searches the lines of a file by meaning:
//   node examples/search-lines.js index examples/notes.txt /tmp/lines.json
//   node examples/search-lines.js search /tmp/lines.json "a physician"
import { readFile, writeFile } from 'node:fs/promises';
import OpenAI from 'openai';

const MODEL = 'svc-embed-v1';
const BATCH = 64;
const RESULTS = 3;

// Reads OPENAI_BASE_URL and OPENAI_API_KEY.
const client = new OpenAI();

const [command, ...args] = process.argv.slice(2);
if (command === 'index' && args.length === 2) await index(...args);
else if (command === 'search' && args.length === 2) await search(...args);
else {
  console.error('usage: search-lines.js index FILE INDEX | search INDEX "QUERY"');
  process.exitCode = 2;
}

async function index(file, indexFile) {
  const lines = (await readFile(file, 'utf8'))
    .split('\n')
    .map((text, index) => ({ line: index + 1, text: text.trim() }))
    .filter(({ text }) => text !== '');
  const entries = [];
  for (let from = 0; from < lines.length; from += BATCH) {
    const batch = lines.slice(from, from + BATCH);
    const vectors = await embed(batch.map(({ text }) => text));
    entries.push(...batch.map((each, index) => ({ ...each, vector: vectors[index] })));
  }
  await writeFile(indexFile, JSON.stringify({ file, entries }));
  console.log(`${entries.length} lines of ${file} are indexed in ${indexFile}`);
}

async function search(indexFile, query) {
  const { file, entries } = JSON.parse(await readFile(indexFile, 'utf8'));
  const [wanted] = await embed([query]);
  const found = entries
    .map(({ line, text, vector }) => ({ line, text, score: dot(wanted, vector) }))
    .sort((a, b) => b.score - a.score)
    .slice(0, RESULTS);
  for (const { line, text, score } of found) console.log(`${score.toFixed(2)}  ${file}:${line}  ${text}`);
}

async function embed(input) {
  const { data } = await client.embeddings.create({ model: MODEL, input });
  return data.map(({ embedding }) => embedding);
}

/** Vectors from askd have length 1, so this is their cosine similarity. */
function dot(a, b) {
  return a.reduce((sum, value, index) => sum + value * b[index], 0);
}
