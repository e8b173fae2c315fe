import type { ClassifyRequest, ItemEvent, LabelScores, Session } from '../../../src/runtime/engine.ts';
import { chunkTokens, textPieces } from '../chunks.ts';
import type { FairQueue } from '../fair-queue.ts';
import type { OnnxParts } from './embedder.ts';
import { loadOptions } from './folder.ts';
import { readFrame } from './frame.ts';
import { requireOutput, runTokens, toFloats, TRIAL_TOKENS } from './run.ts';
import { tokensOf } from './tokens.ts';

/** Opens a text classifier that gives each of its labels a probability. */
export async function openClassifier(
  { library, folder, contextTokens, threads }: OnnxParts,
  turns: FairQueue,
): Promise<Required<Pick<Session, 'classify'>>> {
  const { id2label = {}, problem_type: problem } = folder.config;
  const tokenizer = await library.AutoTokenizer.from_pretrained(folder.path, { local_files_only: true });
  const options = loadOptions(folder.precisionOf('model'), threads);
  const model = await library.AutoModelForSequenceClassification.from_pretrained(folder.path, options);
  const { start, end } = readFrame(tokenizer);
  const frame = start.length + end.length;
  const toProbabilities = problem === 'multi_label_classification' ? sigmoids : softmax;

  async function scoresOf(tokens: readonly number[]): Promise<number[]> {
    const outputs = await runTokens(library, { model, texts: [[...start, ...tokens, ...end]] });
    return toProbabilities(toFloats(requireOutput(outputs, ['logits'])));
  }

  /** Between two pieces, other requests get their turn. */
  async function chunksOf(text: string, signal: AbortSignal): Promise<number[][]> {
    const tokens: number[][] = [];
    for (const piece of textPieces(text)) {
      await new Promise((resolve) => setImmediate(resolve));
      signal.throwIfAborted();
      tokens.push(tokensOf(tokenizer, piece));
    }
    return chunkTokens(tokens.flat(), contextTokens - frame);
  }

  /** A long text is read completely, chunk by chunk: each label gets its score from the chunk where it is highest. */
  async function* classify(
    { inputs }: ClassifyRequest,
    signal: AbortSignal,
  ): AsyncGenerator<ItemEvent<LabelScores>> {
    const texts: number[][][] = [];
    for (const text of inputs) texts.push(await chunksOf(text, signal));
    const lengths = texts.map((chunks) => chunks.reduce((sum, chunk) => sum + chunk.length + frame, 0));
    yield { type: 'prompt', promptTokens: lengths.reduce((sum, length) => sum + length, 0) };
    const items = texts.flatMap((chunks, text) =>
      chunks.map((chunk, place) => ({
        promptTokens: chunk.length + frame,
        work: async () => ({ text, isLast: place === chunks.length - 1, scores: await scoresOf(chunk) }),
      })),
    );
    let greatest: LabelScores = {};
    for await (const event of turns.run(items, signal)) {
      if (event.type !== 'item') continue;
      const { text: index, isLast, scores } = event.result;
      greatest = withGreater(greatest, scores);
      if (!isLast) continue;
      yield { type: 'item', index, promptTokens: lengths[index] ?? 0, result: greatest };
      greatest = {};
    }
  }

  function withGreater(before: LabelScores, scores: readonly number[]): LabelScores {
    const named = scores.map((score, index) => [id2label[index] ?? `LABEL_${index}`, score] as const);
    return {
      ...before,
      ...Object.fromEntries(named.map(([label, score]) => [label, Math.max(before[label] ?? 0, score)])),
    };
  }

  await scoresOf(TRIAL_TOKENS);
  return { classify };
}

function sigmoids(logits: Float32Array): number[] {
  return Array.from(logits, (logit) => 1 / (1 + Math.exp(-logit)));
}

function softmax(logits: Float32Array): number[] {
  const greatest = Math.max(...logits);
  const weights = Array.from(logits, (logit) => Math.exp(logit - greatest));
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.map((weight) => weight / sum);
}
