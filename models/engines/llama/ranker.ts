import type { Token } from 'node-llama-cpp';
import type { Ranker } from '../scores.ts';
import { openLanes, type EncoderParts } from './lanes.ts';

/** Opens the contexts in which a query and a document become a score. */
export async function openRanker(parts: EncoderParts): Promise<Ranker> {
  const { model, contextTokens, beforeItem } = parts;
  const { whole, contextOf } = await openLanes(parts, (options) => model.createRankingContext(options));
  return {
    contextTokens,
    // With the space that the vocabulary puts before a text: the model was trained on both texts cut that way.
    tokenize: (text) => model.tokenize(text),
    frameOf: (query) => whole.calculateInputLength(query as Token[], []),
    scoreOf(query, document, lane) {
      beforeItem();
      return contextOf(lane).rank([...query] as Token[], [...document] as Token[]);
    },
  };
}
