import { randomBytes } from 'node:crypto';
import type { LlamaModel, Token } from 'node-llama-cpp';
import type {
  ChatEvent,
  ChatRequest,
  EndReason,
  Logprob,
  TokenLogprob,
} from '../../../../src/runtime/engine.ts';
import type { AnswerPlan } from '../../answer/answer-plan.ts';
import { createAnswerParser, type AnswerPiece } from '../../answer/answer-parser.ts';
import { tagTexts } from '../../answer/tag-texts.ts';
import { createTextStream } from './text-stream.ts';
import type { TokenDecoder } from './token-decoder.ts';
import type { Likelihood, Sampled } from '../sampling/token-source.ts';

/** What all choices of one request have generated. */
export type Tally = { completionTokens: number };

export type OutputOptions = {
  model: LlamaModel;
  request: ChatRequest;
  plan: AnswerPlan;
  choice: number;
  tally: Tally;
  decoder: TokenDecoder;
  emit: (event: ChatEvent) => void;
};

type Hooks = { onAnswer: () => void; onCall: (written: string) => void };

/** Turns tokens into events. */
export function createOutput(options: OutputOptions, hooks: Hooks) {
  const { request, plan, choice, tally, emit } = options;
  const generated: Token[] = [];
  const marks = tagTokens(options);
  const text = createTextStream((tokens) => options.decoder.textOf(tokens));
  const reader = createAnswerParser({ ...plan, ...hooks, stop: request.stop });
  const chosen = request.choices === undefined || request.choices === 1 ? {} : { choice };
  let thoughtTokens = 0;
  let logprobs: Logprob[] = [];
  let callIndex = -1;

  function show(pieces: readonly AnswerPiece[]): void {
    for (const piece of pieces)
      emit({ ...toEvent(piece), completionTokens: tally.completionTokens, ...chosen });
  }

  function toEvent(piece: AnswerPiece) {
    if (piece.type === 'toolCall') {
      callIndex = piece.index;
      return { ...piece, id: `call_${randomBytes(12).toString('hex')}` };
    }
    if (piece.type !== 'text' || !request.logprobs) return piece;
    const reported = logprobs;
    logprobs = [];
    return { ...piece, logprobs: reported };
  }

  return {
    tokens: () => generated,
    thoughtTokens: () => thoughtTokens,
    stopText: () => reader.stopText(),
    isThinking: () => reader.phase() === 'thought',
    /** True if this token completed a stop sequence. */
    accept(sampled: Sampled): boolean {
      const { token } = sampled;
      generated.push(token);
      tally.completionTokens += 1;
      if (request.logprobs && sampled.logprob !== undefined) logprobs.push(toLogprob(sampled, options));
      const wasThinking = reader.phase() === 'thought';
      show(reader.push(marks.get(token) ?? text.push(token)));
      if (!wasThinking && reader.phase() !== 'thought') return reader.phase() === 'over';
      thoughtTokens += 1;
      logprobs = [];
      return false;
    },
    finish(reason: EndReason): EndReason {
      show(reader.flush());
      return reason === 'stop' && callIndex >= 0 ? 'tool_calls' : reason;
    },
  };
}

/** Control tokens are hidden, except those that start and end reasoning and calls, which the parser needs. */
function tagTokens({ model, plan, decoder }: OutputOptions): Map<Token, string> {
  const tokens = tagTexts(plan).flatMap((text) => model.tokenize(text, true));
  const controls = tokens.filter((token) => model.getTokenAttributes(token).control);
  return new Map(controls.map((token) => [token, decoder.textOf([token], { showsControls: true })]));
}

function toLogprob({ token, logprob = 0, top = [] }: Sampled, options: OutputOptions): Logprob {
  return {
    ...describe({ token, logprob }, options),
    top: top.map((one) => describe(one, options)),
  };
}

function describe({ token, logprob }: Likelihood, { decoder }: OutputOptions): TokenLogprob {
  const text = decoder.textOf([token], { showsControls: true });
  return { token: text, logprob: Math.min(0, logprob), bytes: [...decoder.bytesOf(token)] };
}
