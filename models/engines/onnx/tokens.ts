import type { PreTrainedTokenizer } from '@huggingface/transformers';
import { Failure } from '../../../src/base/errors.ts';
import { textPieces } from '../chunks.ts';

/** A piece may cost a token more than the whole, so what fits a usual context is read as one. */
const PIECE_CHARACTERS = 32_768;

/** The tokens of a text without special ones. The library overflows its stack over a long one, so it gets pieces. */
export function tokensOf(tokenizer: PreTrainedTokenizer, text: string): number[] {
  return Array.from(textPieces(text, PIECE_CHARACTERS), (piece) => encode(tokenizer, piece)).flat();
}

function encode(tokenizer: PreTrainedTokenizer, piece: string): number[] {
  let tokens: number[];
  try {
    tokens = tokenizer.encode(piece, { add_special_tokens: false });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Failure('invalid_model_file', `The model's tokenizer cannot read the text: ${reason}`, {
      cause,
    });
  }
  if (tokens.every((token) => Number.isSafeInteger(token) && token >= 0)) return tokens;
  throw new Failure('invalid_model_file', "The model's tokenizer has a token ID that is not a whole number.");
}
