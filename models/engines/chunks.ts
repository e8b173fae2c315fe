/** Neighbouring chunks share this much, so that text at a cut is read whole by one of them. */
const OVERLAP = 0.25;

/** Splits tokens into overlapping chunks of limited length. */
export function chunkTokens<Token>(tokens: readonly Token[], tokensMax: number): Token[][] {
  if (tokens.length <= tokensMax) return [[...tokens]];
  const step = Math.max(1, Math.ceil(tokensMax * (1 - OVERLAP)));
  const chunks: Token[][] = [];
  for (let start = 0; ; start += step) {
    chunks.push(tokens.slice(start, start + tokensMax));
    if (start + tokensMax >= tokens.length) return chunks;
  }
}
