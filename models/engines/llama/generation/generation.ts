import type { LlamaContextSequence, LlamaModel, Token } from 'node-llama-cpp';
import type { ChatEvent, ChatRequest, EndReason } from '../../../../src/runtime/engine.ts';
import type { DraftCounts } from '../../../../src/config/speculative.ts';
import type { AnswerPlan } from '../../answer/answer-plan.ts';
import { compileGrammar, createConstraint, type Grammar } from '../sampling/constraint.ts';
import type { OneToken } from '../scheduling/one-token-decode.ts';
import { createOutput, type Tally } from './output.ts';
import { createTokenBias, withBans, type CharacterGuard, type LogitBiases } from '../sampling/logit-bias.ts';
import type { TokenDecoder } from './token-decoder.ts';
import {
  createNativeSource,
  createScoredSource,
  type Sampled,
  type TokenSource,
} from '../sampling/token-source.ts';

export type Generation = {
  /** Prompt tokens still to be evaluated; 0 once text is being generated. */
  promptTokensLeft(): number;
  /**
   * Prefills up to this many prompt tokens, or generates one token plus the draft tokens that are accepted. Resolves
   * to the end reason if that was the last step.
   */
  advance(promptTokensMax: number, draft?: readonly Token[]): Promise<EndReason | undefined>;
  /** The next step, if it is to evaluate one token and to sample the one after it. */
  oneToken?(): NextToken | undefined;
  /** What a draft can be made from; absent if nothing can be drafted. */
  drafting?: Draftable;
  completionTokens(): number;
  close(): void;
};

export type NextToken = Pick<OneToken, 'token' | 'sample'> & {
  /** Resolves to the end reason if that was the last step. */
  accept(sampled: Sampled | undefined): Promise<EndReason | undefined>;
};

export type Draftable = {
  /** The text so far is the prompt followed by these, including what is not evaluated yet. */
  prompt: readonly Token[];
  generated: readonly Token[];
  /** How many tokens may be drafted now. */
  tokensMax: () => number;
  /** Updated after each draft. */
  tally: DraftCounts;
};

/** `stopText` is the stop sequence that ended it, if one did. */
export type ChatGeneration = Generation & {
  thoughtTokens: () => number;
  drafts: () => DraftCounts;
  stopText: () => string | undefined;
};

/** What all choices of a request share. */
export type Answering = {
  model: LlamaModel;
  prompt: readonly Token[];
  contextTokens: number;
  request: ChatRequest;
  plan: AnswerPlan;
  /** The grammar of the whole answer, compiled before anything runs. */
  grammar: Grammar | undefined;
  logitBias: LogitBiases;
  createGuard: (wanted: LogitBiases, isScaled: boolean) => CharacterGuard;
  decoder: TokenDecoder;
  tally: Tally;
  emit: (event: ChatEvent) => void;
};

export type GenerationOptions = Answering & {
  choice: number;
  /** Already holds exactly the first `cachedTokens` of the prompt. */
  sequence: LlamaContextSequence;
  cachedTokens: number;
};

/** The native sampler returns no likelihoods and has no typical sampling. */
export function drawsHere({ logprobs, sampling }: ChatRequest): boolean {
  return logprobs !== undefined || (sampling.typicalP ?? 1) < 1;
}

/** One answer on one sequence, advanced step by step so that all running requests share each native decode. */
export function createGeneration(options: GenerationOptions): ChatGeneration {
  const { model, sequence, prompt, contextTokens, request, plan } = options;
  const completionTokensMax = Math.min(request.maxTokens, contextTokens - prompt.length);
  const constraint = createConstraint(model, options.decoder);
  const guard = options.createGuard(options.logitBias, (request.sampling.repeatPenalty ?? 1) !== 1);
  const bias = createTokenBias(model, withBans(options.logitBias, -Infinity));
  const output = createOutput(options, {
    onAnswer: () => options.grammar && constraint.begin(options.grammar),
    onCall: (written) => (begunCall = written),
  });
  const source = openSource();
  const drafts: DraftCounts = { drafted: 0, accepted: 0 };
  let unprefilled: readonly Token[] = prompt.slice(options.cachedTokens);
  /** Generated or inserted tokens that are not evaluated yet. */
  let next: Token[] = [];
  let begunCall: string | undefined;

  if (options.grammar && !plan.thinking?.startsInside) constraint.begin(options.grammar);

  function openSource(): TokenSource {
    const context = {
      model,
      sequence,
      sampling: request.sampling,
      choice: options.choice,
      prompt,
      generated: output.tokens,
      contextTokens,
      grammar: constraint.state,
      bias: () => (constraint.state() ? guard.bias() : bias),
    };
    if (!drawsHere(request)) return createNativeSource(context);
    return createScoredSource({ ...context, top: request.logprobs?.top ?? 0 });
  }

  async function prefill(count: number): Promise<void> {
    const chunk = unprefilled.slice(0, count);
    unprefilled = unprefilled.slice(count);
    await sequence.evaluateWithoutGeneratingNewTokens([...chunk]);
  }

  async function generate(draft: readonly Token[]): Promise<EndReason | undefined> {
    const tokens = unprefilled.length > 0 ? unprefilled : next;
    unprefilled = [];
    let reason: EndReason | undefined;
    const accepted = await source.next(tokens, draft, async (sampled) => {
      reason = await accept(sampled);
      // If more than that token comes next, the draft no longer matches.
      return reason === undefined && next.length === 1;
    });
    drafts.drafted += draft.length;
    drafts.accepted += accepted;
    return reason;
  }

  async function accept(sampled: Sampled | undefined): Promise<EndReason | undefined> {
    next = sampled ? [sampled.token] : [];
    // The end-of-generation token is neither emitted nor counted.
    if (!sampled) return output.finish('stop');
    guard.accept(sampled.token);
    constraint.accept(sampled.token);
    if (output.accept(sampled)) return output.finish('stop');
    if (begunCall !== undefined) await bindCall(begunCall);
    if (output.tokens().length >= completionTokensMax) return output.finish('length');
    if (output.isThinking() && output.thoughtTokens() >= plan.thoughtTokensMax) endThought();
    return undefined;
  }

  /** The model has started a call; from here on the grammar makes it a valid one, unless it was constrained already. */
  async function bindCall(written: string): Promise<void> {
    begunCall = undefined;
    if (!constraint.state()) constraint.begin(await compileGrammar(model, plan.callGrammar(written)));
  }

  function endThought(): void {
    const end = model.tokenize(plan.thinking?.closing ?? '', true);
    for (const token of end) output.accept({ token });
    next.push(...end);
  }

  function oneToken(): NextToken | undefined {
    const [token] = next;
    const { sampleAt } = source;
    if (unprefilled.length > 0 || next.length !== 1 || token === undefined || !sampleAt) return undefined;
    return { token, sample: sampleAt, accept };
  }

  return {
    promptTokensLeft: () => unprefilled.length,
    oneToken,
    completionTokens: () => output.tokens().length,
    stopText: output.stopText,
    thoughtTokens: output.thoughtTokens,
    drafts: () => drafts,
    drafting: {
      prompt,
      generated: output.tokens(),
      tokensMax: () => completionTokensMax - output.tokens().length - 1,
      tally: drafts,
    },
    async advance(promptTokensMax, draft = []) {
      if (completionTokensMax <= 0) return output.finish('length');
      if (unprefilled.length <= promptTokensMax) return generate(draft);
      await prefill(promptTokensMax);
      return undefined;
    },
    close: () => source.close(),
  };
}
