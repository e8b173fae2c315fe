import type { Ranker } from '../scores.ts';
import type { OnnxParts } from './embedder.ts';
import { loadOptions } from './folder.ts';
import { readFrame } from './frame.ts';
import { requireOutput, runTokens, toFloats, TRIAL_TOKENS } from './run.ts';
import { tokensOf } from './tokens.ts';

/** Opens a cross-encoder, which reads a query and a document together and returns one score. */
export async function openOnnxRanker({
  library,
  folder,
  contextTokens,
  threads,
}: OnnxParts): Promise<Ranker> {
  const tokenizer = await library.AutoTokenizer.from_pretrained(folder.path, { local_files_only: true });
  const options = loadOptions(folder.precisionOf('model'), threads);
  const model = await library.AutoModelForSequenceClassification.from_pretrained(folder.path, options);
  const { start, middle, end } = readFrame(tokenizer);
  async function scoreOf(query: readonly number[], document: readonly number[]): Promise<number> {
    const first = [...start, ...query, ...middle];
    const second = [...document, ...end];
    const types = [...first.map(() => 0), ...second.map(() => 1)];
    const outputs = await runTokens(library, {
      model,
      texts: [[...first, ...second]],
      ...(tokenizer.return_token_type_ids && { types: [types] }),
    });
    const [logit = 0] = toFloats(requireOutput(outputs, ['logits']));
    return 1 / (1 + Math.exp(-logit));
  }

  await scoreOf(TRIAL_TOKENS, TRIAL_TOKENS);
  return {
    contextTokens,
    tokenize: (text) => tokensOf(tokenizer, text),
    frameOf: (query) => start.length + query.length + middle.length + end.length,
    scoreOf,
  };
}
