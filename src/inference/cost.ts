/** The price that the `cost` of embeddings and moderation is shown with; what is charged is the catalogue's price. */
const SHOWN_PRICE_PER_MILLION = 0.02;
const DECIMALS = 9;

export function shownCost(tokens: number): { total_usd: number; price_per_million_tokens: number } {
  const usd = (tokens * SHOWN_PRICE_PER_MILLION) / 1_000_000;
  return { total_usd: Number(usd.toFixed(DECIMALS)), price_per_million_tokens: SHOWN_PRICE_PER_MILLION };
}
