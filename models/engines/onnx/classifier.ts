import type { ClassifyRequest, ItemEvent, LabelScores, Session } from '../../../src/runtime/engine.ts';
import { chunkTokens } from '../chunks.ts';
import type { FairQueue } from '../fair-queue.ts';
import type { OnnxParts } from './embedder.ts';
import { loadOptions } from './folder.ts';
import { readFrame } from './frame.ts';
import { requireOutput, runTokens, toFloats } from './run.ts';

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
    const outputs = await runTokens(library, { model, tokens: [...start, ...tokens, ...end] });
    return toProbabilities(toFloats(requireOutput(outputs, ['logits'])));
  }

  /** A long text is read completely: each label gets the score of the chunk where it is greatest. */
  async function greatestScores(chunks: readonly (readonly number[])[]): Promise<LabelScores> {
    const scores: LabelScores = {};
    for (const chunk of chunks) {
      for (const [index, score] of (await scoresOf(chunk)).entries()) {
        const label = id2label[index] ?? `LABEL_${index}`;
        scores[label] = Math.max(scores[label] ?? 0, score);
      }
    }
    return scores;
  }

  async function* classify(
    { inputs }: ClassifyRequest,
    signal: AbortSignal,
  ): AsyncGenerator<ItemEvent<LabelScores>> {
    const items = inputs.map((text) => {
      const tokens = tokenizer.encode(text, { add_special_tokens: false });
      const chunks = chunkTokens(tokens, contextTokens - frame);
      const promptTokens = chunks.reduce((sum, chunk) => sum + chunk.length + frame, 0);
      return { promptTokens, work: () => greatestScores(chunks) };
    });
    yield { type: 'prompt', promptTokens: items.reduce((sum, { promptTokens }) => sum + promptTokens, 0) };
    yield* turns.run(items, signal);
  }

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
