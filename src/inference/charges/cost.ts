import { toCredits } from '../../base/money.ts';
import type { Task } from '../../runtime/manifest.ts';
import { costOf, creditsPerMillion, halfOf, toPrice } from '../../wallet/pricing.ts';
import type { BatchLine } from './charge.ts';
import { priceOf } from './prices.ts';

type Used = { model: string; task: Task; promptTokens: number; batch: BatchLine | undefined };

/** The price behind the `cost` field of embeddings and moderation; charges use the catalogue's price. */
const SHOWN = { price_per_million_tokens: 0.02 };

/** A batch shows what it was charged, so that the costs of its lines add up to its own. */
export function shownCost({ model, task, promptTokens, batch }: Used) {
  if (batch) {
    const { promptTokens: each = 0 } = halfOf(priceOf(model, task));
    return { total_usd: toCredits(batch.chargedN()), price_per_million_tokens: creditsPerMillion(each) };
  }
  return { total_usd: toCredits(costOf(toPrice(SHOWN), { promptTokens })), ...SHOWN };
}
