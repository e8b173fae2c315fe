import { tokenName } from '../../../src/gguf/byte-level.ts';
import { CONTROL_TOKENS } from './template.ts';

/**
 * The words of a text before any merging, as llama.cpp splits them for `tokenizer.ggml.pre` = qwen2: each digit
 * separately.
 */
const WORDS =
  /'[sS]|'[tT]|'[rR][eE]|'[vV][eE]|'[mM]|'[lL][lL]|'[dD]|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+/gu;

/**
 * What precedes a word never merges with it into one token. So a word has the same tokens after a blank, after a
 * quotation mark and at the start of an answer, and can be copied without having been seen in each of these places.
 */
const BEFORE_LETTERS = /^[^\p{L}\p{N}](?=\p{L})/u;

export type Merge = readonly [left: string, right: string];

const encoder = new TextEncoder();
const namesOf = (word: string) => Array.from(encoder.encode(word), (byte) => tokenName(Uint8Array.of(byte)));

/** The pairs to merge, most frequent first: at each step, the pair that is adjacent most often in the words. */
export function learnMerges(texts: Iterable<string>, count: number): Merge[] {
  const frequency = new Map<string, number>();
  for (const text of texts)
    for (const [word] of text.matchAll(WORDS)) {
      const alone = word.replace(BEFORE_LETTERS, '');
      frequency.set(alone, (frequency.get(alone) ?? 0) + 1);
    }
  const words = [...frequency].map(([word, times]) => ({ names: namesOf(word), times }));
  const pairs = createPairs(words);
  const merges: Merge[] = [];
  while (merges.length < count) {
    const best = pairs.best();
    if (best === undefined) break;
    merges.push(best);
    pairs.join(best);
  }
  return merges;
}

type Word = { names: string[]; times: number };

/** How often each pair occurs in the words, and in which: merging one changes only the words that contain it. */
function createPairs(words: readonly Word[]) {
  const times = new Map<string, number>();
  const places = new Map<string, Set<number>>();
  words.forEach((word, index) => count(word, index, 1));

  function count({ names, times: frequency }: Word, index: number, sign: 1 | -1): void {
    for (let at = 0; at + 1 < names.length; at++) {
      const pair = `${names[at]} ${names[at + 1]}`;
      times.set(pair, (times.get(pair) ?? 0) + sign * frequency);
      const held = places.get(pair) ?? new Set();
      if (sign === 1) places.set(pair, held.add(index));
    }
  }

  /** Among equally frequent pairs the first by its text, so that every run learns the same. */
  function best(): Merge | undefined {
    let found: string | undefined;
    let most = 1;
    for (const [pair, frequency] of times) {
      if (frequency > most || (frequency === most && found !== undefined && pair < found))
        [found, most] = [pair, frequency];
    }
    return found?.split(' ') as [string, string] | undefined;
  }

  function join([left, right]: Merge): void {
    for (const index of places.get(`${left} ${right}`) ?? []) {
      const word = words[index];
      if (word === undefined) continue;
      count(word, index, -1);
      word.names = joined(word.names, left, right);
      count(word, index, 1);
    }
    times.delete(`${left} ${right}`);
    places.delete(`${left} ${right}`);
  }

  return { best, join };
}

function joined(names: readonly string[], left: string, right: string): string[] {
  const result: string[] = [];
  for (let at = 0; at < names.length; at++) {
    const isPair = names[at] === left && names[at + 1] === right;
    result.push(isPair ? left + right : (names[at] ?? ''));
    if (isPair) at++;
  }
  return result;
}

export type Tokenizer = ReturnType<typeof createTokenizer>;

/** Tokens: the 256 bytes, the control tokens, then one for each merge. */
export function createTokenizer(merges: readonly Merge[]) {
  const bytes = Array.from({ length: 256 }, (_, byte) => tokenName(Uint8Array.of(byte)));
  const names = [...bytes, ...CONTROL_TOKENS, ...merges.map(([left, right]) => left + right)];
  const numbers = new Map(names.map((name, number) => [name, number]));
  const ranks = new Map(merges.map(([left, right], rank) => [`${left} ${right}`, rank]));
  const known = new Map<string, number[]>();
  const controls = new RegExp(`(${CONTROL_TOKENS.map((text) => text.replace(/\|/g, '\\|')).join('|')})`);

  function encodeWord(word: string): number[] {
    const cached = known.get(word);
    if (cached) return cached;
    let parts = namesOf(word);
    for (;;) {
      let best: [rank: number, left: string, right: string] | undefined;
      for (let at = 0; at + 1 < parts.length; at++) {
        const [left = '', right = ''] = [parts[at], parts[at + 1]];
        const rank = ranks.get(`${left} ${right}`);
        if (rank !== undefined && (best === undefined || rank < best[0])) best = [rank, left, right];
      }
      if (best === undefined) break;
      parts = joined(parts, best[1], best[2]);
    }
    const tokens = parts.map((name) => numbers.get(name) ?? 0);
    known.set(word, tokens);
    return tokens;
  }

  /** A control token's text stands for the token. */
  const cut = (text: string, encodePart: (part: string) => number[]) =>
    text
      .split(controls)
      .flatMap((part, index) => (index % 2 === 1 ? [numbers.get(part) ?? 0] : encodePart(part)));

  const encode = (text: string) =>
    cut(text, (part) => Array.from(part.matchAll(WORDS), ([word]) => encodeWord(word)).flat());
  /** A token for each byte. */
  const spell = (text: string) => cut(text, (part) => Array.from(encoder.encode(part)));

  return { names, merges, encode, spell };
}
