/** A piece of a text. What lies between translated pieces is kept unchanged. */
export type Segment = { kind: 'translate' | 'keep'; text: string };

/** Longer lines are split at sentence ends. */
const SEGMENT_CHARACTERS_MAX = 600;

/** Indentation, and the markers of list items, headings and quotations. */
const LINE_START = /^\s*(?:(?:[-*+•–]|\d{1,4}[.)]|[a-z][.)]|#{1,6}|>+)\s+)*/u;
const FENCE = /^\s*(```|~~~)/;
const HAS_WORD = /\p{L}/u;

/**
 * Splits a text into lines, and long lines into sentences. Line breaks, indentation, list markers, code blocks and
 * all space around sentences are kept. Joining the pieces gives the text again.
 */
export function cutSegments(text: string): Segment[] {
  const segments: Segment[] = [];
  let inFence = false;
  for (const part of text.split(/(\r\n|\n|\r)/)) {
    const isFence = FENCE.test(part);
    if (isFence) inFence = !inFence;
    if (isFence || inFence || !HAS_WORD.test(part)) segments.push({ kind: 'keep', text: part });
    else segments.push(...cutLine(part));
  }
  return merge(segments);
}

/** Splits the text between two placeholders, where punctuation belongs to the surrounding sentence. */
export function cutBetween(text: string): Segment[] {
  const [start = ''] = /^[^\p{L}\p{N}]*/u.exec(text) ?? [];
  const [end = ''] = /[^\p{L}\p{N}]*$/u.exec(text.slice(start.length)) ?? [];
  const content = text.slice(start.length, text.length - end.length);
  return merge([{ kind: 'keep', text: start }, ...cutSegments(content), { kind: 'keep', text: end }]);
}

export function joinSegments(segments: readonly Segment[]): string {
  return segments.map(({ text }) => text).join('');
}

function cutLine(line: string): Segment[] {
  const marker = LINE_START.exec(line)?.[0] ?? '';
  const end = /\s*$/.exec(line.slice(marker.length))?.[0] ?? '';
  const content = line.slice(marker.length, line.length - end.length);
  return [{ kind: 'keep', text: marker }, ...packSentences(content), { kind: 'keep', text: end }];
}

/** As many sentences as fit, because context helps to translate a sentence. */
function packSentences(content: string): Segment[] {
  if (content.length <= SEGMENT_CHARACTERS_MAX) return [toSegment(content)];
  const segments: Segment[] = [];
  let pack = '';
  for (const sentence of sentencesOf(content)) {
    if (pack !== '' && pack.length + sentence.length > SEGMENT_CHARACTERS_MAX) {
      segments.push(...withoutEnd(pack));
      pack = '';
    }
    pack += sentence;
  }
  return [...segments, ...withoutEnd(pack)];
}

/** The space between two sentences belongs to neither. */
function withoutEnd(pack: string): Segment[] {
  const end = /\s*$/.exec(pack)?.[0] ?? '';
  return [toSegment(pack.slice(0, pack.length - end.length)), { kind: 'keep', text: end }];
}

function toSegment(text: string): Segment {
  return { kind: HAS_WORD.test(text) ? 'translate' : 'keep', text };
}

function* sentencesOf(text: string): Generator<string> {
  for (const { segment } of new Intl.Segmenter(undefined, { granularity: 'sentence' }).segment(text)) {
    yield* cutLong(segment);
  }
}

/** A very long sentence is split between words, or as a last resort between letters. */
function* cutLong(sentence: string): Generator<string> {
  let rest = sentence;
  while (rest.length > SEGMENT_CHARACTERS_MAX) {
    const space = rest.lastIndexOf(' ', SEGMENT_CHARACTERS_MAX - 1) + 1;
    const cut = space > 0 ? space : wholeCharacters(rest, SEGMENT_CHARACTERS_MAX);
    yield rest.slice(0, cut);
    rest = rest.slice(cut);
  }
  yield rest;
}

function wholeCharacters(text: string, length: number): number {
  return /[\uD800-\uDBFF]/.test(text[length - 1] ?? '') ? length - 1 : length;
}

function merge(segments: readonly Segment[]): Segment[] {
  const merged: Segment[] = [];
  for (const { kind, text } of segments) {
    const last = merged.at(-1);
    if (text === '') continue;
    if (kind === 'keep' && last?.kind === 'keep') last.text += text;
    else merged.push({ kind, text });
  }
  return merged;
}
