import { LlamaVocabularyType, type LlamaModel, type Token } from 'node-llama-cpp';
import { afterBytes, BETWEEN } from './utf8.ts';

export type TokenDecoder = {
  /** The bytes that the token stands for: a character may span several tokens. */
  bytesOf: (token: number) => Uint8Array;
  textOf: (tokens: readonly number[], options?: { showsControls: boolean }) => string;
  /** All tokens that start or end inside a character. */
  splitTokens: () => readonly number[];
};

/** The blank in vocabularies whose tokens are texts; byte-level ones have no token with this name. */
const BLANK = '\u2581';
const NOTHING = new Uint8Array();

type Decoded = { bytes: Uint8Array; isControl: boolean };

export function createTokenDecoder(model: LlamaModel): TokenDecoder {
  const names = model.fileInfo.metadata.tokenizer?.ggml?.tokens ?? [];
  const isByteLevel = model.vocabularyType === LlamaVocabularyType.bpe && !names.includes(BLANK);
  const encoder = new TextEncoder();

  const known = new Map<number, Decoded>();

  function decoded(token: number): Decoded {
    const before = known.get(token);
    if (before) return before;
    const name = names[token] ?? '';
    const { control, unknown, userDefined, unused } = model.getTokenAttributes(token as Token);
    const isControl = control || unknown;
    const bytes = unused ? NOTHING : isControl || userDefined ? encoder.encode(name) : bytesIn(name);
    const all = { bytes, isControl };
    known.set(token, all);
    return all;
  }

  function bytesIn(name: string): Uint8Array {
    if (isByteLevel) return byteLevel(name) ?? encoder.encode(name);
    const [, byte] = BYTE_TOKEN.exec(name) ?? [];
    return byte === undefined
      ? encoder.encode(name.replaceAll(BLANK, ' '))
      : Uint8Array.of(parseInt(byte, 16));
  }

  return {
    bytesOf: (token) => decoded(token).bytes,
    /**
     * For byte-pair vocabularies, llama.cpp "cleans" the text: it removes the blank from " ?", " ." and " 's", which
     * changes the text and can turn one shell command into another.
     */
    textOf(tokens, { showsControls } = { showsControls: false }) {
      if (model.vocabularyType !== LlamaVocabularyType.bpe)
        return model.detokenize([...tokens] as Token[], showsControls);
      const shown = tokens.map(decoded).filter(({ isControl }) => showsControls || !isControl);
      return Buffer.concat(shown.map(({ bytes }) => bytes)).toString('utf8');
    },
    splitTokens() {
      const isSplit = (name: string) => {
        if (!isByteLevel) return BYTE_TOKEN.test(name);
        const bytes = WHOLE.test(name) ? undefined : byteLevel(name);
        return bytes !== undefined && afterBytes(BETWEEN, bytes) !== BETWEEN;
      };
      return names.flatMap((name, token) => (isSplit(name) ? [token] : []));
    },
  };
}

const BYTE_TOKEN = /^<0x([0-9A-F]{2})>$/;
/** ASCII letters, digits and punctuation, surrounded by blanks and line ends. */
const WHOLE = /^[!-~\u0120\u010a\u0109]*$/;

function byteLevel(name: string): Uint8Array | undefined {
  const bytes = Array.from(name, (character) => BYTE_OF.get(character));
  return bytes.includes(undefined) ? undefined : Uint8Array.from(bytes as number[]);
}

/** Byte-level vocabularies write printable Latin-1 bytes as themselves and the rest from code point 256 on. */
const BYTE_OF = new Map(byteAlphabet().map((character, byte) => [character, byte]));

function byteAlphabet(): string[] {
  const isPrintable = (byte: number) =>
    (byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte <= 0xff && byte !== 0xad);
  let next = 256;
  return Array.from({ length: 256 }, (_, byte) => String.fromCodePoint(isPrintable(byte) ? byte : next++));
}
