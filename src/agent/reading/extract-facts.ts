import type { Model } from '../model.ts';
import type { Notebook } from '../loop/notebook.ts';
import { factsPrompt, type Evidence } from '../prompts.ts';
import { lineOfQuote } from './quote-line.ts';
import { findQuote, hasNumbersOf, nearSentence } from './quotes.ts';
import { rankByWords } from './rank.ts';
import { factsSchema, type ExtractedFacts } from '../schemas.ts';
import type { Source } from '../types.ts';
import { coverage, overlap, sentencesOf } from './words.ts';

/** A passage and its source. */
export type Reading = Evidence & { source: Omit<Source, 'n'>; page?: number };

const TOKENS_MAX = 450;
const SENTENCES_TAKEN = 2;
const SENTENCE_MAX = 300;
const RELEVANT = 0.1;
const COVERED = 0.75;

export type Extracting = {
  model: Model;
  notebook: Notebook;
  question: string;
  readings: readonly Reading[];
  /** Tokens available for the texts. */
  room: number;
  mark: string;
  onFallback: () => void;
  signal: AbortSignal;
};

/**
 * Notes what the passages say about the question. Facts without a verbatim quote are dropped. Returns how many are
 * new.
 */
export async function extractFacts(extracting: Extracting): Promise<number> {
  const { model, notebook, question, mark, onFallback, signal } = extracting;
  const readings = await fitting(extracting);
  if (readings.length === 0) return 0;
  const request = {
    messages: factsPrompt(question, readings, mark),
    schema: factsSchema,
    maxTokens: TOKENS_MAX,
  };
  const found = await model.ask<ExtractedFacts>(request, signal);
  if (found === undefined) {
    onFallback();
    return noteSentences(extracting, readings, (text) => overlap(question, text) >= RELEVANT);
  }
  let news = 0;
  for (const { fact, quote } of found.facts) if (await note(notebook, readings, fact, quote)) news += 1;
  if (news > 0) return news;
  // A small model finds nothing even where one sentence has the words of the question.
  return noteSentences(extracting, readings, (text) => coverage(question, text) >= COVERED);
}

/** As many whole passages as fit, best first, so that no fact is cut in two. */
async function fitting({ model, question, readings, room, mark, signal }: Extracting): Promise<Reading[]> {
  const kept = [...readings];
  while (kept.length > 0) {
    const { promptTokens } = await model.count(factsPrompt(question, kept, mark), signal);
    if (promptTokens <= room) return kept;
    const keep = Math.floor((kept.length * room) / promptTokens);
    kept.length = Math.min(kept.length - 1, Math.max(0, keep));
  }
  return kept;
}

async function note(
  notebook: Notebook,
  readings: readonly Reading[],
  fact: string,
  quote: string,
): Promise<boolean> {
  for (const reading of readings) {
    const { source, text } = reading;
    const exact = findQuote(quote, text);
    const words = exact ?? nearSentence(quote, text);
    if (words === undefined) continue;
    // A fact with a word or a number that is not in its passage is replaced by the passage's own words.
    const statement = exact !== undefined && hasNumbersOf(fact, text) ? fact : words;
    return notebook.addFact({ source, fact: statement, quote: words, ...(await whereIs(words, reading)) });
  }
  return false;
}

/** Without a model: the sentences that share the most words with the question, where they are near enough. */
async function noteSentences(
  { notebook, question }: Extracting,
  readings: readonly Reading[],
  isNear: (sentence: string) => boolean,
): Promise<number> {
  const sentences = readings.flatMap((reading) =>
    sentencesOf(reading.text).map((text) => ({ text: text.slice(0, SENTENCE_MAX), reading })),
  );
  const ranked = rankByWords(
    question,
    sentences.map(({ text }) => text),
  );
  const best = ranked.filter(({ index }) => isNear(sentences[index]?.text ?? ''));
  let news = 0;
  for (const { index } of best.slice(0, SENTENCES_TAKEN)) {
    const { text = '', reading } = sentences[index] ?? {};
    if (reading === undefined) continue;
    const where = await whereIs(text, reading);
    if (notebook.addFact({ source: reading.source, fact: text, quote: text, ...where })) news += 1;
  }
  return news;
}

async function whereIs(quote: string, { source, text: passage, page, heading }: Reading) {
  const line = await lineOfQuote({ url: source.url, quote, passage });
  return { passage, heading, ...(page !== undefined && { page }), ...(line !== undefined && { line }) };
}
