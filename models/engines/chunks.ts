/** Neighbouring chunks overlap by this much, so that text at a cut is whole in one of them. */
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

/** Tokenizing this much takes some tens of milliseconds. */
const PIECE_CHARACTERS = 20_000;
/** The second half of a character that takes two. */
const LOW_HALF = /[\udc00-\udfff]/;

/** A long text in pieces that end between words, or inside a word that is longer than a piece. */
export function* textPieces(text: string, charactersMax = PIECE_CHARACTERS): Generator<string> {
  let start = 0;
  while (text.length - start > charactersMax) {
    const end = start + charactersMax;
    const space = text.lastIndexOf(' ', end);
    const cut = space > start ? space : end - (LOW_HALF.test(text.charAt(end)) ? 1 : 0);
    yield text.slice(start, cut);
    start = cut;
  }
  yield text.slice(start);
}
