import type { Logprob } from '../../runtime/engine.ts';
import type { Runner } from '../../runtime/runner.ts';
import { userSays } from '../cases/answers.ts';

const QUESTIONS = ['What is askd?', 'How do I install a model?', 'List the commands of askd.'];
const TOKENS = 48;
const ALTERNATIVES = 5;

/** Less probable tokens differ more, and matter less. */
const LOGPROB_MIN = Math.log(0.01);
/** Below this, numbers differ only because they were added in a different order. */
const USUAL_DIFFERENCE = 0.05;
/** Above this, something else was computed. */
const DIFFERENCE_MAX = 0.5;

/** The most probable answers of the model, token by token. */
export async function greedyTexts(runner: Runner, signal: AbortSignal): Promise<Logprob[][]> {
  const texts: Logprob[][] = [];
  for (const question of QUESTIONS) texts.push(await greedyText(runner, question, signal));
  return texts;
}

async function greedyText({ chat }: Runner, question: string, signal: AbortSignal): Promise<Logprob[]> {
  if (!chat) throw new Error('The model does not chat');
  const sampling = { temperature: 0, topP: 1, presencePenalty: 0, frequencyPenalty: 0 };
  const request = { ...userSays(question), stop: [], sampling, maxTokens: TOKENS };
  const text: Logprob[] = [];
  for await (const event of chat({ ...request, logprobs: { top: ALTERNATIVES } }, signal)) {
    if (event.type === 'text') text.push(...(event.logprobs ?? []));
  }
  signal.throwIfAborted();
  if (text.length === 0) throw new Error(`The model answered nothing to ${JSON.stringify(question)}`);
  return text;
}

export type Comparison = {
  status: 'passed' | 'weak' | 'failed';
  tokens: number;
  /** Tokens that are the same, up to the first difference of each text. */
  same: number;
  /** The largest difference in log-probability over the equal tokens and the first one that differs. */
  difference: number;
};

/** Two tokens of about equal probability may swap; the text after that differs. */
export function compareTexts(
  expected: readonly (readonly Logprob[])[],
  found: readonly (readonly Logprob[])[],
): Comparison {
  const texts = expected.map((text, index) => compareText(text, found[index] ?? []));
  const difference = Math.max(...texts.map((text) => text.difference));
  const isSurprised = texts.some(({ margin }) => margin > Math.max(USUAL_DIFFERENCE, 2 * difference));
  const isOther = !(difference <= DIFFERENCE_MAX) || isSurprised;
  const isUsual = difference <= USUAL_DIFFERENCE;
  return {
    status: isOther ? 'failed' : isUsual ? 'passed' : 'weak',
    tokens: expected.reduce((sum, text) => sum + text.length, 0),
    same: texts.reduce((sum, text) => sum + text.same, 0),
    difference,
  };
}

/** `margin`: how much less probable the other token is for the first model, where the texts diverge. */
function compareText(expected: readonly Logprob[], found: readonly Logprob[]) {
  let [same, difference] = [0, 0];
  for (const [index, token] of expected.entries()) {
    const other = found[index];
    if (!other) return { same, difference: Infinity, margin: Infinity };
    difference = Math.max(difference, differenceOf(token, other));
    if (token.token !== other.token) return { same, difference, margin: marginOf(token, other) };
    same += 1;
  }
  return { same, difference, margin: 0 };
}

function differenceOf(token: Logprob, other: Logprob): number {
  const logprobs = new Map([...other.top, other].map(({ bytes, logprob }) => [bytes.join(), logprob]));
  const probable = [token, ...token.top].filter(({ logprob }) => logprob >= LOGPROB_MIN);
  const both = probable.flatMap(({ bytes, logprob }) => {
    const there = logprobs.get(bytes.join());
    return there === undefined ? [] : [Math.abs(logprob - there)];
  });
  return both.length === 0 && probable.length > 0 ? Infinity : Math.max(0, ...both);
}

function marginOf(token: Logprob, other: Logprob): number {
  const there = token.top.find(({ bytes }) => bytes.join() === other.bytes.join());
  return there ? token.logprob - there.logprob : Infinity;
}
