import { LlamaVocabularyType, type LlamaModel, type Token } from 'node-llama-cpp';

/** The bytes that a token stands for; a character may be spread over several tokens, so texts alone do not say them. */
export type TokenBytes = (token: number) => Uint8Array;

export function createTokenBytes(model: LlamaModel): TokenBytes {
  const names = model.fileInfo.metadata.tokenizer?.ggml?.tokens ?? [];
  const encoder = new TextEncoder();
  const isByteLevel = model.vocabularyType === LlamaVocabularyType.bpe;
  return (token) => {
    const name = names[token] ?? '';
    if (isByteLevel) {
      const bytes = Array.from(name, (character) => BYTE_OF.get(character));
      const isText = bytes.includes(undefined) || model.getTokenAttributes(token as Token).control;
      return isText ? encoder.encode(name) : Uint8Array.from(bytes as number[]);
    }
    const [, byte] = /^<0x([0-9A-F]{2})>$/.exec(name) ?? [];
    return byte === undefined
      ? encoder.encode(name.replaceAll('\u2581', ' '))
      : Uint8Array.of(parseInt(byte, 16));
  };
}

/** Byte-level vocabularies write printable Latin-1 bytes as themselves and the others from code point 256 on. */
const BYTE_OF = new Map(byteAlphabet().map((character, byte) => [character, byte]));

function byteAlphabet(): string[] {
  const isPrintable = (byte: number) =>
    (byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte <= 0xff && byte !== 0xad);
  let next = 256;
  return Array.from({ length: 256 }, (_, byte) => String.fromCodePoint(isPrintable(byte) ? byte : next++));
}
