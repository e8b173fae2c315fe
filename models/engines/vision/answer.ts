import { randomBytes } from 'node:crypto';
import type { ChatEvent, ChatRequest, EndReason } from '../../../src/runtime/engine.ts';
import type { AnswerPlan } from '../answer/answer-plan.ts';
import { createAnswerParser, type AnswerPiece } from '../answer/answer-parser.ts';

/** The tokens of all choices of one request. */
export type Tally = { completionTokens: number };

export type AnswerOptions = {
  request: ChatRequest;
  plan: AnswerPlan;
  choice: number;
  tally: Tally;
  emit: (event: ChatEvent) => void;
};

/** Turns the texts of one choice into events. */
export function createAnswer({ request, plan, choice, tally, emit }: AnswerOptions) {
  const reader = createAnswerParser({ ...plan, stop: request.stop, onAnswer: () => {}, onCall: () => {} });
  const place = (request.choices ?? 1) === 1 ? {} : { choice };
  let tokens = 0;
  let reasoningTokens = 0;

  function show(pieces: readonly AnswerPiece[]): void {
    for (const piece of pieces) {
      const id = piece.type === 'toolCall' ? { id: `call_${randomBytes(12).toString('hex')}` } : {};
      emit({ ...piece, ...id, completionTokens: tally.completionTokens, ...place } as ChatEvent);
    }
  }

  return {
    place,
    tokens: () => tokens,
    /** True if this token completed a stop sequence. */
    accept(text: string): boolean {
      tokens += 1;
      tally.completionTokens += 1;
      if (reader.phase() === 'thought') reasoningTokens += 1;
      show(reader.push(text));
      return reader.phase() === 'over';
    },
    /** Tokens that arrived together as one text. */
    count(more: number): void {
      tokens += more;
      tally.completionTokens += more;
    },
    finish(reason: EndReason): Extract<ChatEvent, { type: 'end' }> {
      if (reason !== 'abort') show(reader.flush());
      const stopText = reader.stopText();
      return {
        type: 'end',
        reason: reason === 'stop' && reader.calls() > 0 ? 'tool_calls' : reason,
        completionTokens: tally.completionTokens,
        ...place,
        ...(reasoningTokens > 0 && { reasoningTokens }),
        ...(stopText !== undefined && { stopText }),
      };
    },
  };
}
