import type { Tensor } from '@huggingface/transformers';
import type { TimedWord } from '../../../../src/runtime/engine.ts';

/** Distance of positions in the encoder's output. */
const SECONDS_PER_FRAME = 0.02;
const MEDIAN_WIDTH = 7;
/** Languages without spaces, in which every character is timed. */
const SPACELESS = ['zh', 'ja', 'th', 'lo', 'my', 'yue', 'km'];

export type WordsOptions = {
  tokens: readonly number[];
  /** The cross-attention of each token. */
  attentions: readonly (readonly Tensor[])[];
  heads: readonly (readonly [layer: number, head: number])[] | undefined;
  /** The start in the window, in seconds. */
  start: number;
  end: number;
  language: string;
  decode: (tokens: readonly number[]) => string;
};

/** Word timestamps from the cross-attention. */
export function timeWords(options: WordsOptions): TimedWord[] {
  const { tokens, start, end, language, decode } = options;
  const first = Math.floor(start / SECONDS_PER_FRAME);
  const frames = Math.max(1, Math.round(end / SECONDS_PER_FRAME) - first);
  const starts = align(lookMap(options, { first, frames }), tokens.length, frames);
  const secondsAt = (token: number) => (first + (starts[token] ?? frames)) * SECONDS_PER_FRAME;
  return groupWords(tokens, decode, SPACELESS.includes(language)).map(({ text, from, to }) => ({
    word: text,
    start: secondsAt(from),
    end: Math.min(secondsAt(to), end),
  }));
}

type Group = { text: string; from: number; to: number };

function groupWords(
  tokens: readonly number[],
  decode: WordsOptions['decode'],
  isSpaceless: boolean,
): Group[] {
  const groups: Group[] = [];
  for (let from = 0; from < tokens.length;) {
    let to = from + 1;
    // A character may span tokens, none of which is a character on its own.
    while (to < tokens.length && decode(tokens.slice(from, to)).includes('\ufffd')) to += 1;
    const text = decode(tokens.slice(from, to));
    const previous = groups.at(-1);
    const isPunctuation = /^[\s]*[\p{P}]+$/u.test(text) && !/^\s/.test(text);
    const continues = !isSpaceless && !/^\s/.test(text);
    if (previous && (isPunctuation || continues)) {
      previous.text += text;
      previous.to = to;
    } else groups.push({ text, from, to });
    from = to;
  }
  return groups.map((group) => ({ ...group, text: group.text.trim() })).filter(({ text }) => text !== '');
}

/** The mean over the alignment heads: token by position. */
function lookMap({ tokens, attentions, heads }: WordsOptions, { first, frames }: Span): Float32Array {
  const chosen = heads ?? laterHeads(attentions[0] ?? []);
  const mean = new Float32Array(tokens.length * frames);
  for (const [layer, head] of chosen) {
    const map = new Float32Array(tokens.length * frames);
    for (let token = 0; token < tokens.length; token++) {
      const tensor = attentions[token]?.[layer];
      if (tensor) map.set(lastRow(tensor, head, { first, frames }), token * frames);
    }
    standardise(map, tokens.length, frames);
    smooth(map, frames);
    for (let index = 0; index < mean.length; index++) {
      mean[index] = (mean[index] as number) + (map[index] as number) / chosen.length;
    }
  }
  return mean;
}

function laterHeads(layers: readonly Tensor[]): [number, number][] {
  return layers.flatMap((tensor, layer) =>
    layer < Math.floor(layers.length / 2)
      ? []
      : Array.from({ length: tensor.dims[1] ?? 0 }, (_, head) => [layer, head] as [number, number]),
  );
}

type Span = { first: number; frames: number };

function lastRow(tensor: Tensor, head: number, { first, frames }: Span): Float32Array {
  const [, , rows = 1, width = 0] = tensor.dims;
  const start = (head * rows + rows - 1) * width;
  return (tensor.data as Float32Array).subarray(start + first, start + Math.min(first + frames, width));
}

/** Normalizes each position over all tokens. */
function standardise(map: Float32Array, tokens: number, frames: number): void {
  for (let place = 0; place < frames; place++) {
    let [sum, squares] = [0, 0];
    for (let token = 0; token < tokens; token++) {
      const value = map[token * frames + place] as number;
      sum += value;
      squares += value * value;
    }
    const mean = sum / tokens;
    const deviation = Math.sqrt(Math.max(0, squares / tokens - mean * mean)) || 1;
    for (let token = 0; token < tokens; token++) {
      const index = token * frames + place;
      map[index] = ((map[index] as number) - mean) / deviation;
    }
  }
}

function smooth(map: Float32Array, frames: number): void {
  const reach = Math.floor(MEDIAN_WIDTH / 2);
  for (let row = 0; row < map.length; row += frames) {
    const source = map.slice(row, row + frames);
    for (let place = 0; place < frames; place++) {
      const near = source.slice(Math.max(0, place - reach), place + reach + 1).sort();
      map[row + place] = near[near.length >> 1] as number;
    }
  }
}

/** Dynamic time warping: for each token, the position where it starts. */
function align(map: Float32Array, tokens: number, frames: number): number[] {
  const width = frames + 1;
  const cost = new Float32Array((tokens + 1) * width).fill(Infinity);
  const came = new Uint8Array((tokens + 1) * width);
  cost[0] = 0;
  for (let token = 1; token <= tokens; token++) {
    for (let place = 1; place <= frames; place++) {
      const at = token * width + place;
      const ways = [cost[at - width - 1] as number, cost[at - width] as number, cost[at - 1] as number];
      const best = Math.min(...ways);
      came[at] = ways.indexOf(best);
      cost[at] = best - (map[(token - 1) * frames + place - 1] as number);
    }
  }
  const starts = Array<number>(tokens).fill(0);
  for (let [token, place] = [tokens, frames]; token > 0 && place > 0;) {
    starts[token - 1] = place - 1;
    const way = came[token * width + place];
    if (way !== 2) token -= 1;
    if (way !== 1) place -= 1;
  }
  return starts;
}
