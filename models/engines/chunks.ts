/** So much of a chunk comes again in the next one, so that what lies on a cut is read whole by one of them. */
const OVERLAP = 0.25;

/** Cuts tokens into chunks of at most so many, each beginning before the last one ends. */
export function chunkTokens<Token>(tokens: readonly Token[], tokensMax: number): Token[][] {
  if (tokens.length <= tokensMax) return [[...tokens]];
  const step = Math.max(1, Math.ceil(tokensMax * (1 - OVERLAP)));
  const chunks: Token[][] = [];
  for (let start = 0; ; start += step) {
    chunks.push(tokens.slice(start, start + tokensMax));
    if (start + tokensMax >= tokens.length) return chunks;
  }
}
