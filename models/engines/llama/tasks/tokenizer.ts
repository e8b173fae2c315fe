import type { LlamaModel } from 'node-llama-cpp';
import { Failure } from '../../../../src/base/errors.ts';
import type { TokenizeRequest, TokenText } from '../../../../src/runtime/engine.ts';
import { createTokenDecoder } from '../generation/token-decoder.ts';

/** Tokenizing a text blocks every other request of this model. */
const CHARACTERS_MAX = 1_000_000;

/** Tokenizes and detokenizes with the model's own vocabulary. */
export function createTokenizer(model: LlamaModel) {
  const { bytesOf, textOf } = createTokenDecoder(model);
  const size = model.fileInfo.metadata.tokenizer?.ggml?.tokens?.length ?? 0;

  function tokenize({ text, addsSpecial, parsesSpecial }: TokenizeRequest): TokenText[] {
    if (text.length > CHARACTERS_MAX) {
      const message = `The text has ${text.length} characters; at most ${CHARACTERS_MAX} can be tokenized at once.`;
      throw new Failure('invalid_value', message, { param: 'content' });
    }
    const tokens: readonly number[] = model.tokenize(text, parsesSpecial);
    const { bos, shouldPrependBosToken } = model.tokens;
    const begins = addsSpecial && shouldPrependBosToken && bos !== null && tokens[0] !== bos;
    const all = begins ? [bos, ...tokens] : tokens;
    return all.map((id) => ({ id, bytes: [...bytesOf(id)] }));
  }

  function detokenize(tokens: readonly number[]): string {
    const wrong = tokens.findIndex((token) => token >= size);
    if (wrong === -1) return textOf(tokens, { showsControls: true });
    const message = `${tokens[wrong]} is not a token of this model: its tokens are 0 to ${size - 1}.`;
    throw new Failure('invalid_value', message, { param: `tokens[${wrong}]` });
  }

  return { tokenize, detokenize };
}
