import { hasNumbersOf } from '../reading/quotes.ts';
import { inverseFrequency } from '../reading/rank.ts';
import type { Citation, Fact, Source } from '../types.ts';
import { canonicalUrl } from '../reading/urls.ts';
import { isNumber, stems, wordsOf } from '../reading/words.ts';

export type Cited = { answer: string; citations: Citation[]; sources: Source[] };

/** A fact must cover this share of a sentence to be its source. */
const SUPPORTED = 0.45;
/** A source that the model cited itself needs less overlap. */
const PLAUSIBLE = 0.2;
const SENTENCE_END = /(?<=[.!?](?:\s*\[\d+\])*)\s+(?![\s[]|$)|\n+/g;
const MARKS = /\s*\[(\d+(?:\s*,\s*\d+)*)\]/g;

/**
 * Corrects the citation numbers of an answer: numbers without a source are removed, missing ones are found by word
 * overlap, and each sentence keeps only sources that support it. Code is left alone.
 */
export function citeAnswer(text: string, facts: readonly Fact[]): Cited {
  const support = createSupport(facts);
  const used: { fact: Fact; n: number }[] = [];
  const numbers = new Map<number, number>();
  const numberOf = ({ source }: Fact): number => {
    const n = numbers.get(source.n) ?? numbers.size + 1;
    numbers.set(source.n, n);
    return n;
  };
  const citeSentence = (sentence: string): string => {
    const bare = withoutMarks(sentence).trimEnd();
    if (bare.trim() === '') return '';
    const chosen = support.factsFor(bare, namedIn(sentence));
    const marks = [...new Set(chosen.map(numberOf))].sort((a, b) => a - b);
    for (const fact of chosen) used.push({ fact, n: numberOf(fact) });
    return withMarks(bare, marks);
  };
  const answer = outsideCode(text, (prose) => rejoin(stripLinks(prose, facts), citeSentence)).trim();
  return { answer, citations: citationsOf(used), sources: sourcesOf(facts, numbers) };
}

function createSupport(facts: readonly Fact[]) {
  const words = facts.map(({ fact, quote }) => new Set(stems(`${fact} ${quote}`)));
  const weight = (word: string): number =>
    inverseFrequency(words.filter((each) => each.has(word)).length, facts.length) + 0.1;

  /** How much of a sentence a fact covers, from 0 to 1. */
  function score(sentence: string, index: number): number {
    const wanted = [...new Set(stems(sentence))].filter((word) => !isNumber(word));
    if (wanted.length === 0) return 1;
    const total = wanted.reduce((sum, word) => sum + weight(word), 0);
    const shared = wanted
      .filter((word) => words[index]?.has(word))
      .reduce((sum, word) => sum + weight(word), 0);
    return shared / total;
  }

  function factsFor(sentence: string, named: readonly number[]): Fact[] {
    const own = named.flatMap((n) => bestOf(n, sentence));
    if (own.length > 0) return own;
    const scored = facts
      .map((fact, index) => ({ fact, score: score(sentence, index) }))
      .filter(({ fact, score: value }) => value >= SUPPORTED && saysNumbers(sentence, fact))
      .sort((a, b) => b.score - a.score);
    return scored.slice(0, 1).map(({ fact }) => fact);
  }

  /** The fact of the cited source that fits best. */
  function bestOf(n: number, sentence: string): Fact[] {
    const scored = facts
      .map((fact, index) => ({ fact, score: score(sentence, index) }))
      .filter(({ fact }) => fact.source.n === n)
      .filter(
        ({ fact, score: value }) =>
          value >= PLAUSIBLE || (hasNumber(sentence) && saysNumbers(sentence, fact)),
      )
      .sort(
        (a, b) =>
          Number(saysNumbers(sentence, b.fact)) - Number(saysNumbers(sentence, a.fact)) || b.score - a.score,
      );
    return scored.slice(0, 1).map(({ fact }) => fact);
  }

  return { factsFor };
}

function saysNumbers(sentence: string, { fact, quote }: Fact): boolean {
  return hasNumbersOf(sentence, `${fact} ${quote}`);
}

/** Repeats until no URL is left, since removing one can create another. */
function withoutMarks(sentence: string): string {
  const less = sentence.replace(MARKS, '');
  return less === sentence ? less : withoutMarks(less);
}

const hasNumber = (sentence: string) => wordsOf(sentence).some(isNumber);

function namedIn(sentence: string): number[] {
  return Array.from(sentence.matchAll(MARKS), ([, list = '']) => list.split(',').map(Number)).flat();
}

function withMarks(sentence: string, marks: readonly number[]): string {
  if (marks.length === 0) return sentence;
  const [, body = sentence, end = ''] = /^([\s\S]*?)([.!?]*)$/.exec(sentence) ?? [];
  return `${body} ${marks.map((n) => `[${n}]`).join('')}${end}`;
}

/**
 * Maps each sentence and keeps the text between them. A number after the full stop belongs to the sentence before it.
 */
function rejoin(prose: string, work: (sentence: string) => string): string {
  let result = '';
  let from = 0;
  for (const match of prose.matchAll(SENTENCE_END)) {
    result += work(prose.slice(from, match.index)) + match[0];
    from = match.index + match[0].length;
  }
  return result + work(prose.slice(from));
}

function outsideCode(text: string, work: (prose: string) => string): string {
  return text
    .split(/(```[\s\S]*?(?:```|$))/)
    .map((part) => (part.startsWith('```') ? part : work(part)))
    .join('');
}

/** A URL that is not a source was made up by the model, or injected by a page. */
function stripLinks(prose: string, facts: readonly Fact[]): string {
  const known = new Set(facts.map(({ source }) => source.url));
  const isSource = (url: string) => known.has(canonicalUrl(url) ?? url);
  return prose
    .replace(/!\[([^\]]*)\]\([^)]*\)/g, '')
    .replace(/(?<!!)\[([^\]]+)\]\(([^)\s]*)[^)]*\)/g, (whole, label: string, url: string) =>
      isSource(url) ? whole : label,
    )
    .replace(/<img\b[^>]*>|<a\b[^>]*>|<\/a>/gi, '')
    .replace(/\b(?:https?|ftp|data|javascript):\/{0,2}[^\s<>"')\]]+/gi, (url) =>
      isSource(url.replace(/[.,;:!?]+$/, '')) ? url : '',
    )
    .replace(/ {2,}/g, ' ');
}

function citationsOf(used: readonly { fact: Fact; n: number }[]): Citation[] {
  const citations: Citation[] = [];
  for (const { fact, n } of used) {
    if (citations.some((each) => each.n === n && each.quote === fact.quote)) continue;
    const { url, title } = fact.source;
    const { page, line } = fact;
    const where = { ...(page !== undefined && { page }), ...(line !== undefined && { line }) };
    citations.push({ n, url, title, quote: fact.quote, ...where });
  }
  return citations.sort((a, b) => a.n - b.n);
}

/** The sources that the answer uses, by number. */
function sourcesOf(facts: readonly Fact[], numbers: ReadonlyMap<number, number>): Source[] {
  const byNumber = new Map(facts.map(({ source }) => [source.n, source]));
  return [...numbers].flatMap(([old, n]) => {
    const source = byNumber.get(old);
    return source ? [{ ...source, n }] : [];
  });
}
