import type { LlamaContextSequence, LlamaModel, Token } from 'node-llama-cpp';
import { anySignal } from '../../../../src/base/any-signal.ts';
import { Failure } from '../../../../src/base/errors.ts';
import type { ItemEvent, ClassifyByPromptRequest, LabelScores } from '../../../../src/runtime/engine.ts';
import { createEventQueue } from '../../event-queue.ts';
import type { Generation } from '../generation/generation.ts';
import { checkFits, type PromptBuilder } from '../generation/prompt.ts';
import type { Scheduler } from '../scheduling/scheduler.ts';

export type PromptClassifierParts = {
  model: LlamaModel;
  buildPrompt: PromptBuilder;
  scheduler: Scheduler;
  contextTokens: number;
};

/**
 * Asks a model each question about each text and compares only how likely "yes" and "no" are as its next token. The
 * questions about a text are asked one after another, so that each finds the text already prefilled.
 */
export function createPromptClassifier({
  model,
  buildPrompt,
  scheduler,
  contextTokens,
}: PromptClassifierParts) {
  return async function* classify(
    { inputs, prompt, questions, answers, cacheSalt }: ClassifyByPromptRequest,
    signal: AbortSignal,
  ): AsyncGenerator<ItemEvent<LabelScores>> {
    const sides = answerTokens(model, answers);
    const names = Object.keys(questions);
    const promptOf = (text: string, name: string, index: number) => {
      const values = { content: text, policy: questions[name] ?? '' };
      const content = prompt.replace(/\{(content|policy)\}/g, (_, key: keyof typeof values) => values[key]);
      const { tokens } = buildPrompt({ messages: [{ role: 'user', content }] });
      checkFits(tokens, contextTokens, `input[${index}]`);
      return tokens;
    };
    const prompts = inputs.map((text, index) => names.map((name) => promptOf(text, name, index)));
    const lengths = prompts.map(longest);
    yield { type: 'prompt', promptTokens: lengths.reduce((sum, length) => sum + length, 0) };
    for (const [index, questionTokens] of prompts.entries()) {
      const result: LabelScores = {};
      for (const [place, tokens] of questionTokens.entries()) {
        const score = await ask({ scheduler, tokens, cacheSalt, sides, signal });
        if (score === undefined) return;
        result[names[place] ?? ''] = score;
      }
      yield { type: 'item', index, promptTokens: lengths[index] ?? 0, result };
    }
  };
}

/** A text counts once, with its longest question: their common prefix is prefilled once. */
function longest(prompts: readonly (readonly Token[])[]): number {
  return prompts.reduce((most, { length }) => Math.max(most, length), 0);
}

type Sides = { yes: readonly Token[]; no: readonly Token[] };

/** A word may start with a capital or a space; the first token of each spelling stands for it. */
function answerTokens(model: LlamaModel, { yes, no }: ClassifyByPromptRequest['answers']): Sides {
  const firsts = (word: string) => {
    const capital = word.charAt(0).toUpperCase() + word.slice(1);
    const ways = [word, capital, ` ${word}`, ` ${capital}`];
    return new Set(ways.flatMap((way) => model.tokenize(way).slice(0, 1)));
  };
  const [yesTokens, noTokens] = [firsts(yes), firsts(no)];
  const only = (own: Set<Token>, other: Set<Token>) => [...own].filter((token) => !other.has(token));
  const sides = { yes: only(yesTokens, noTokens), no: only(noTokens, yesTokens) };
  if (sides.yes.length > 0 && sides.no.length > 0) return sides;
  throw new Failure(
    'invalid_model_file',
    `This model tokenizes "${yes}" and "${no}" with the same first token.`,
  );
}

type Asking = {
  scheduler: Scheduler;
  tokens: readonly Token[];
  cacheSalt: string | undefined;
  sides: Sides;
  signal: AbortSignal;
};

/** The probability of "yes" among the two answers, or undefined if aborted. */
async function ask({ scheduler, tokens, cacheSalt, sides, signal }: Asking): Promise<number | undefined> {
  const answers = createEventQueue<number>();
  const left = new AbortController();
  const finished = scheduler.run({
    prompt: tokens,
    cacheSalt,
    signal: anySignal(signal, left.signal),
    begin: (sequence, cachedTokens) =>
      createAnswer({ sequence, unprefilled: tokens.slice(cachedTokens), sides, answer: answers.push }),
    end: () => answers.end(),
    fail: answers.fail,
  });
  try {
    for await (const answer of answers) return answer;
    return undefined;
  } finally {
    left.abort();
    await finished;
  }
}

type Answering = {
  sequence: LlamaContextSequence;
  unprefilled: readonly Token[];
  sides: Sides;
  answer: (score: number) => void;
};

/** Prefills the rest of the prompt and reads the logits. Nothing is generated. */
function createAnswer({ sequence, unprefilled, sides, answer }: Answering): Generation {
  let left = [...unprefilled];
  return {
    promptTokensLeft: () => left.length,
    completionTokens: () => 0,
    async advance(promptTokensMax) {
      const count = Math.max(1, promptTokensMax);
      if (left.length > count) {
        const piece = left.slice(0, count);
        left = left.slice(count);
        await sequence.evaluateWithoutGeneratingNewTokens(piece);
        return undefined;
      }
      const last = left.at(-1);
      if (last === undefined) throw new Error('A question has no last token');
      const logits = { filter: { tokens: [...sides.yes, ...sides.no] } };
      const results = await sequence.controlledEvaluate([
        ...left.slice(0, -1),
        [last, { generateNext: { logits } }],
      ]);
      left = [];
      answer(shareOfYes(results.at(-1)?.next.logits ?? new Map<Token, number>(), sides));
      return 'stop';
    },
    close: () => {},
  };
}

/** The softmax over both answers, each with all its spellings. */
function shareOfYes(logits: ReadonlyMap<Token, number>, { yes, no }: Sides): number {
  const greatest = Math.max(...logits.values());
  const weight = (tokens: readonly Token[]) =>
    tokens.reduce((sum, token) => sum + Math.exp((logits.get(token) ?? -Infinity) - greatest), 0);
  const [yesWeight, noWeight] = [weight(yes), weight(no)];
  return yesWeight / (yesWeight + noWeight);
}
