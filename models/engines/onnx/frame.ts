import type { PreTrainedTokenizer } from '@huggingface/transformers';

/** The special tokens around one text and around two. */
export type Frame = {
  start: readonly number[];
  middle: readonly number[];
  end: readonly number[];
};

const PROBE = 'a';

/** Derives them from an example, so that tokens can be chunked and framed afterwards. */
export function readFrame(tokenizer: PreTrainedTokenizer): Frame {
  const bare = tokenizer.encode(PROBE, { add_special_tokens: false });
  const single = tokenizer.encode(PROBE);
  const pair = tokenizer.encode(PROBE, { text_pair: PROBE });
  const startLength = find(single, bare, 0);
  const endLength = single.length - startLength - bare.length;
  const second = pair.length - endLength - bare.length;
  return {
    start: single.slice(0, startLength),
    middle: pair.slice(startLength + bare.length, second),
    end: single.slice(startLength + bare.length),
  };
}

function find(tokens: readonly number[], part: readonly number[], from: number): number {
  for (let start = from; start + part.length <= tokens.length; start++) {
    if (part.every((token, offset) => tokens[start + offset] === token)) return start;
  }
  throw new Error('The tokenizer changes a text when it frames it');
}
