import { citeAnswer, type Cited } from './citations.ts';
import type { Model } from '../model.ts';
import { answerPrompt, NOT_FOUND } from '../prompts.ts';
import type { Room } from '../loop/budget.ts';
import type { Fact } from '../types.ts';

const SHOWN = 5;
const CLOSEST = 3;

export type Answered = Cited & { isFound: boolean };

export type Answering = {
  model: Model;
  question: string;
  facts: readonly Fact[];
  /** The program that ran, in coding mode; the answer shows it. */
  program?: string | undefined;
  room: Room;
  onToken: (text: string) => void;
  onFallback: () => void;
  signal: AbortSignal;
};

/** Writes the answer from the facts, then corrects its citations. */
export async function writeAnswer(answering: Answering): Promise<Answered> {
  const { model, question, program, room, onToken, onFallback, signal } = answering;
  const facts = await fitting(answering);
  const messages = answerPrompt({ question, facts, program });
  const text = await stream(model.write({ messages, maxTokens: room.answer }, signal), onToken);
  if (text.startsWith(NOT_FOUND)) return notFound(facts);
  const cited = citeAnswer(withProgram(text.replaceAll(NOT_FOUND, ''), program), facts);
  // A request for code gets the program with its explanation; otherwise, an answer without a source is a guess.
  const isSupported = cited.citations.length > 0 || facts.length === 0 || program !== undefined;
  if (cited.answer !== '' && isSupported) return { ...cited, isFound: true };
  onFallback();
  return facts.length === 0
    ? notFound(facts)
    : { ...inWordsOfSources(facts.slice(0, SHOWN), program), isFound: true };
}

/** With the closest matches, so that the reader can judge them. */
const notFound = (facts: readonly Fact[]): Answered => ({
  ...inWordsOfSources(facts.slice(0, CLOSEST)),
  isFound: false,
});

/** Drops the latest facts first: the earliest were found with the question itself. */
async function fitting({ model, question, facts, program, room, signal }: Answering): Promise<Fact[]> {
  const kept = [...facts];
  for (;;) {
    const { promptTokens } = await model.count(answerPrompt({ question, facts: kept, program }), signal);
    if (kept.length <= 1 || promptTokens + room.answer <= room.context) return kept;
    kept.pop();
  }
}

/** Holds back text that may still turn out to be the "not found" marker. */
async function stream(pieces: AsyncIterable<string>, onToken: (text: string) => void): Promise<string> {
  let text = '';
  let shown = 0;
  for await (const piece of pieces) {
    text = shown === 0 ? (text + piece).trimStart() : text + piece;
    if (NOT_FOUND.startsWith(text) || text.startsWith(NOT_FOUND)) continue;
    onToken(text.slice(shown));
    shown = text.length;
  }
  return text.trim();
}

function withProgram(text: string, program: string | undefined): string {
  if (program === undefined || text === '' || text.includes(program.trim())) return text;
  return `${text}\n\n\`\`\`js\n${program.trim()}\n\`\`\``;
}

/** The fallback without a usable answer from the model: the facts as they were found. */
function inWordsOfSources(facts: readonly Fact[], program?: string): Cited {
  const sentences = facts.map(({ fact, source }) => `${fact.replace(/[.!?\s]*$/, '')} [${source.n}].`);
  return citeAnswer(withProgram(sentences.join('\n'), program), facts);
}
