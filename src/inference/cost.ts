import { toCredits } from '../base/money.ts';
import { costOf, toPrice } from '../wallet/pricing.ts';

/** The price behind the `cost` field of embeddings and moderation; what is charged is the catalogue's price. */
const SHOWN = { price_per_million_tokens: 0.02 };

export function shownCost(promptTokens: number): { total_usd: number; price_per_million_tokens: number } {
  return { total_usd: toCredits(costOf(toPrice(SHOWN), { promptTokens })), ...SHOWN };
}
