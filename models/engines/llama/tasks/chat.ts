import type { LlamaModel } from 'node-llama-cpp';
import { anySignal } from '../../../../src/base/any-signal.ts';
import { Failure } from '../../../../src/base/errors.ts';
import type { ChatEvent, ChatPrompt, ChatRequest, EndReason } from '../../../../src/runtime/engine.ts';
import { createEventQueue, type EventQueue } from '../../event-queue.ts';
import { compileGrammar } from '../sampling/constraint.ts';
import type { createCostlyTurns } from '../scheduling/costly-turns.ts';
import { createTokenPacing, type TokenPacing } from '../scheduling/token-pacing.ts';
import {
  createGeneration,
  drawsHere,
  type ChatGeneration,
  type Answering,
} from '../generation/generation.ts';
import { checkFits, type BuiltPrompt } from '../generation/prompt.ts';
import type { Scheduler } from '../scheduling/scheduler.ts';
import { createCharacterGuards, readLogitBias } from '../sampling/logit-bias.ts';
import { createTokenDecoder } from '../generation/token-decoder.ts';

export type ChatParts = {
  model: LlamaModel;
  buildPrompt: (prompt: ChatPrompt) => BuiltPrompt;
  scheduler: Scheduler;
  contextTokens: number;
  /** Takes turns with the running answers. */
  inTurn: ReturnType<typeof createCostlyTurns>;
};

/** Everything that can be rejected is rejected before the first event. */
export function createChat({ model, buildPrompt, scheduler, contextTokens, inTurn }: ChatParts) {
  const decoder = createTokenDecoder(model);
  const vocabularySize = model.fileInfo.metadata.tokenizer?.ggml?.tokens?.length ?? 0;
  const createGuard = createCharacterGuards(model, decoder, vocabularySize);

  async function prepare(request: ChatRequest, emit: (event: ChatEvent) => void): Promise<Answering> {
    const { tokens: prompt, plan } = buildPrompt(request);
    checkFits(prompt, contextTokens);
    if (drawsHere(request) && (plan.grammar !== undefined || mayCall(request)))
      throw drawnApart(request.logprobs ? 'logprobs' : 'typical_p');
    return {
      model,
      prompt,
      contextTokens,
      request,
      plan,
      grammar: plan.grammar === undefined ? undefined : await compileGrammar(model, plan.grammar),
      logitBias: readLogitBias(request.logitBias ?? {}, vocabularySize),
      createGuard,
      decoder,
      tally: { completionTokens: 0 },
      emit,
    };
  }

  return async function* chat(request: ChatRequest, signal: AbortSignal): AsyncGenerator<ChatEvent> {
    if (signal.aborted) {
      yield { type: 'end', reason: 'abort', completionTokens: 0 };
      return;
    }
    const events = createEventQueue<ChatEvent>();
    const flow = createTokenPacing(events.push);
    const answering = await inTurn(request, 'answer', () => prepare(request, flow.push));
    const left = new AbortController();
    const finished = runChoices(answering, anySignal(signal, left.signal), { events, flow });
    try {
      yield* events;
    } finally {
      // Also runs when the consumer stops early, which is an abort too.
      left.abort();
      await finished;
    }
  };

  /** All choices start together, and the scheduler prefills their common prompt once. */
  async function runChoices(
    answering: Answering,
    signal: AbortSignal,
    { events, flow }: { events: EventQueue<ChatEvent>; flow: TokenPacing<ChatEvent> },
  ): Promise<void> {
    const { request, prompt, tally } = answering;
    const count = request.choices ?? 1;
    let isPromptReported = false;
    let isAborted = false;
    let failure: { error: unknown } | undefined;

    const reportPrompt = (cachedTokens: number) => {
      if (!isPromptReported)
        events.push({ type: 'prompt', promptTokens: prompt.length, cachedTokens, ...textOf(answering) });
      isPromptReported = true;
    };
    const end = (choice: number, reason: EndReason, generation: ChatGeneration | undefined) => {
      if (reason === 'abort') return void (isAborted = true);
      const { completionTokens } = tally;
      const place = count === 1 ? {} : { choice };
      const reasoningTokens = generation?.thoughtTokens() ?? 0;
      const thought = reasoningTokens > 0 ? { reasoningTokens } : {};
      const stopText = generation?.stopText();
      const stopped = stopText === undefined ? {} : { stopText };
      const drafts = generation?.drafts();
      const guessed = drafts && drafts.drafted > 0 ? { drafts } : {};
      flow.pace(0, 1);
      events.push({ type: 'end', reason, completionTokens, ...place, ...thought, ...guessed, ...stopped });
    };
    const runOne = (choice: number) => {
      let generation: ChatGeneration | undefined;
      return scheduler.run({
        prompt,
        cacheSalt: request.cacheSalt,
        isInBackground: request.isInBackground,
        signal,
        begin(sequence, cachedTokens) {
          reportPrompt(cachedTokens);
          generation = createGeneration({ ...answering, choice, sequence, cachedTokens });
          return generation;
        },
        pacing: flow.pace,
        end: (reason) => end(choice, reason, generation),
        fail: (error) => void (failure ??= { error }),
      });
    };
    await Promise.all(Array.from({ length: count }, (_, choice) => runOne(choice)));
    flow.pace(0, 1);
    if (failure) return events.fail(failure.error);
    if (isAborted) events.push({ type: 'end', reason: 'abort', completionTokens: tally.completionTokens });
    events.end();
  }
}

function textOf({ request, decoder, prompt }: Answering): { text?: string } {
  return request.showPrompt ? { text: decoder.textOf(prompt, { showsControls: true }) } : {};
}

function mayCall({ tools = [], toolChoice }: ChatRequest): boolean {
  return tools.length > 0 && toolChoice !== 'none';
}

function drawnApart(param: 'logprobs' | 'typical_p'): Failure {
  return new Failure(
    'unsupported_parameter',
    `"${param}" cannot be combined with a response format or tools. Omit one of them.`,
    { param },
  );
}
