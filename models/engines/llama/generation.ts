import type { LlamaContextSequence, LlamaModel, Token } from 'node-llama-cpp';
import type { ChatEvent, ChatRequest, EndReason } from '../../../src/runtime/engine.ts';
import type { AnswerPlan } from '../answer/answer-plan.ts';
import { compileGrammar, createConstraint, type Grammar } from './constraint.ts';
import { createOutput, type Tally } from './output.ts';
import { createTokenBias, type CharacterGuard } from './token-bias.ts';
import type { TokenBytes } from './token-bytes.ts';
import { createNativeSource, createScoredSource, type TokenSource } from './token-source.ts';

export type Generation = {
  /** Tokens of the prompt that are still to be evaluated; 0 once text comes. */
  promptTokensLeft(): number;
  /** Evaluates up to so many tokens of the prompt, or generates one token. Gives the reason when that was the last step. */
  advance(promptTokensMax: number): Promise<EndReason | undefined>;
  completionTokens(): number;
  close(): Promise<void>;
};

/** `stopText` is the stop text that ended it, if one did. */
export type ChatGeneration = Generation & {
  thoughtTokens: () => number;
  stopText: () => string | undefined;
};

/** What all choices of a request have in common. */
export type Answering = {
  model: LlamaModel;
  prompt: readonly Token[];
  contextTokens: number;
  request: ChatRequest;
  plan: AnswerPlan;
  /** Of the whole answer, ready before anything runs. */
  grammar: Grammar | undefined;
  logitBias: readonly (readonly [Token, number])[];
  createGuard: (wanted: Answering['logitBias']) => CharacterGuard;
  tokenBytes: TokenBytes;
  tally: Tally;
  emit: (event: ChatEvent) => void;
};

export type GenerationOptions = Answering & {
  choice: number;
  /** Already holds the first `cachedTokens` of the prompt and nothing else. */
  sequence: LlamaContextSequence;
  cachedTokens: number;
};

/** One answer on one sequence, advanced step by step so that all running requests share each native decode. */
export function createGeneration(options: GenerationOptions): ChatGeneration {
  const { model, sequence, prompt, contextTokens, request, plan } = options;
  const completionTokensMax = Math.min(request.maxTokens, contextTokens - prompt.length);
  const constraint = createConstraint(model);
  const guard = options.createGuard(options.logitBias);
  const bias = createTokenBias(model, options.logitBias);
  const output = createOutput(options, {
    onAnswer: () => options.grammar && constraint.begin(options.grammar),
    onCall: (written) => (begunCall = written),
  });
  const source = openSource();
  let unread: readonly Token[] = prompt.slice(options.cachedTokens);
  /** What was generated or put in and is not evaluated yet. */
  let next: Token[] = [];
  let begunCall: string | undefined;

  if (options.grammar && !plan.thinking?.startsInside) constraint.begin(options.grammar);

  function openSource(): TokenSource {
    const context = {
      sampling: request.sampling,
      choice: options.choice,
      generated: output.tokens,
      contextTokens,
      grammar: constraint.state,
      bias: () => (constraint.state() ? guard.bias() : bias),
    };
    if (!request.logprobs) return createNativeSource(sequence, context);
    const { top } = request.logprobs;
    return createScoredSource(sequence, { ...context, top, isEnd: (token) => model.isEogToken(token) });
  }

  async function readPrompt(count: number): Promise<void> {
    const chunk = unread.slice(0, count);
    unread = unread.slice(count);
    await sequence.evaluateWithoutGeneratingNewTokens([...chunk]);
  }

  async function generate(): Promise<EndReason | undefined> {
    const sampled = await source.next(unread.length > 0 ? unread : next);
    unread = [];
    // The end-of-generation token itself is neither given nor counted.
    if (!sampled) return output.finish('stop');
    guard.accept(sampled.token);
    next = [sampled.token];
    if (output.accept(sampled)) return output.finish('stop');
    if (begunCall !== undefined) await bindCall(begunCall);
    if (output.tokens().length >= completionTokensMax) return output.finish('length');
    if (output.isThinking() && output.thoughtTokens() >= plan.thoughtTokensMax) endThought();
    return undefined;
  }

  /** The model has decided for a call; from here on it must be a right one, if it was not bound to that already. */
  async function bindCall(written: string): Promise<void> {
    begunCall = undefined;
    if (!constraint.state()) constraint.begin(await compileGrammar(model, plan.callGrammar(written)));
  }

  function endThought(): void {
    const end = model.tokenize(`\n${plan.thinking?.end ?? ''}\n\n`, true);
    for (const token of end) output.accept({ token });
    next.push(...end);
  }

  return {
    promptTokensLeft: () => unread.length,
    completionTokens: () => output.tokens().length,
    stopText: output.stopText,
    thoughtTokens: output.thoughtTokens,
    async advance(promptTokensMax) {
      if (completionTokensMax <= 0) return output.finish('length');
      if (unread.length <= promptTokensMax) return generate();
      await readPrompt(promptTokensMax);
      return undefined;
    },
    close: () => source.close(),
  };
}
