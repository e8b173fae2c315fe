import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { getLlama, LlamaLogLevel, type Token } from 'node-llama-cpp';

/** Compares the engine's output for the exported model with that of predict.py for the same weights. */
const [work, file] = process.argv.slice(2);
if (work === undefined || file === undefined)
  throw new Error('Usage: node check-export.js FOLDER_OF_THE_TRAINING FILE.gguf');
type Prediction = { prompt: Token[]; written: Token[]; first: [token: Token, probability: number][] };
const predictions = JSON.parse(await readFile(path.join(work, 'predictions.json'), 'utf8')) as Prediction[];
const CONTEXT_TOKENS = 2048;
/** The engine stores keys, values and activations in fewer bits. */
const PROBABILITY_APART_MAX = 0.03;

const llama = await getLlama({
  maxThreads: 1,
  gpu: false,
  build: 'never',
  skipDownload: true,
  logLevel: LlamaLogLevel.error,
});
const model = await llama.loadModel({ modelPath: file });
const context = await model.createContext({ contextSize: CONTEXT_TOKENS });
const sequence = context.getSequence();
let same = 0;
let apart = 0;
for (const { prompt, written, first } of predictions) {
  await sequence.clearHistory();
  const tokens: Token[] = [];
  for await (const each of sequence.evaluateWithMetadata(
    prompt,
    { probabilities: true },
    { temperature: 0, yieldEogToken: true },
  )) {
    if (tokens.length === 0)
      for (const [token, probability] of first)
        apart = Math.max(apart, Math.abs(probability - (each.probabilities.get(token) ?? 0)));
    if (tokens.push(each.token) >= written.length) break;
  }
  if (tokens.join() === written.join()) same++;
}
await llama.dispose();
console.log(
  `${same} of ${predictions.length} answers are the same; probabilities differ by ${apart.toFixed(4)} at most`,
);
if (apart > PROBABILITY_APART_MAX) process.exitCode = 1;
