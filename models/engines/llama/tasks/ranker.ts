import type { Token } from 'node-llama-cpp';
import type { Ranker } from '../../scores.ts';
import { contextOptions, type EncoderParts } from './embedder.ts';
import { withoutSampler } from '../loading/without-sampler.ts';

/** Opens the context that turns a query and a document into a score. */
export async function openRanker(parts: EncoderParts): Promise<Ranker> {
  const { model, contextTokens, beforeItem } = parts;
  const context = withoutSampler(await model.createRankingContext(contextOptions(parts)));
  return {
    contextTokens,
    // With the space that the vocabulary puts before a text: the model was trained on both texts tokenized that way.
    tokenize: (text) => model.tokenize(text),
    frameOf: (query) => context.calculateInputLength(query as Token[], []),
    scoreOf(query, document) {
      beforeItem();
      return context.rank([...query] as Token[], [...document] as Token[]);
    },
  };
}
