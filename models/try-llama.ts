import { openBackend } from './engines/llama/loading/backend.ts';

/** A child process: the first token that a model generates for a fixed text, by one build of the engine. */
const [, , path = '', folder = ''] = process.argv;

const { llama } = await openBackend(folder === '' ? undefined : { folder, isRequired: true });
const model = await llama.loadModel({ modelPath: path });
const context = await model.createContext({ contextSize: 256, sequences: 1 });
const sequence = context.getSequence();
const tokens = model.tokenize('Hello, how are you today? I am');
for await (const token of sequence.evaluate(tokens, { temperature: 0 })) {
  process.stdout.write(`${JSON.stringify({ token })}\n`);
  break;
}
await llama.dispose();
