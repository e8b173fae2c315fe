import { randomUUID } from 'node:crypto';
import { Failure } from '../base/errors.ts';
import type { ChatEvent, EndReason, Logprob, TokenLogprob } from '../runtime/engine.ts';

/** A choice in a chunk of a stream; reasoning models use one of two names. */
export type ChunkChoice = {
  index?: number;
  delta?: {
    content?: string | null;
    reasoning_content?: string | null;
    reasoning?: string | null;
    tool_calls?: ToolCallDelta[] | null;
  };
  logprobs?: { content?: WireLogprob[] | null } | null;
  finish_reason?: string | null;
};

type ToolCallDelta = {
  index?: number;
  id?: string | null;
  function?: { name?: string | null; arguments?: string | null };
};
type WireTokenLogprob = { token: string; logprob: number; bytes?: number[] | null };
type WireLogprob = WireTokenLogprob & { top_logprobs?: WireTokenLogprob[] | null };

export type Choice = ReturnType<typeof createChoice>;
type Piece = Exclude<ChatEvent, { type: 'prompt' | 'end' }>;
/** An event without the parts that are only known for the whole answer. */
type Delta = Piece extends infer Each
  ? Each extends Piece
    ? Omit<Each, 'completionTokens' | 'choice'>
    : never
  : never;

/** Accumulates one choice: interprets its chunks and counts its tokens. */
export function createChoice(tokensMax: number) {
  const calls = new Set<number>();
  let reason: Exclude<EndReason, 'abort'> | undefined;
  let tokens = 0;
  let reasoningTokens = 0;
  let isCut = false;

  function* readCall({ index, id, function: called = {} }: ToolCallDelta): Generator<Delta> {
    const isNew = Boolean(called.name) && (index === undefined || !calls.has(index));
    const number = index ?? (isNew ? calls.size : calls.size - 1);
    if (isNew) {
      calls.add(number);
      yield { type: 'toolCall', index: number, id: id || `call_${randomUUID()}`, name: called.name ?? '' };
    }
    if (!calls.has(number)) throw nameless();
    if (called.arguments) yield { type: 'toolArguments', index: number, text: called.arguments };
  }

  function* readDelta({ delta = {}, logprobs }: ChunkChoice): Generator<Delta> {
    const thought = delta.reasoning_content ?? delta.reasoning;
    if (thought) yield { type: 'reasoning', text: thought };
    const known = logprobs?.content?.map(toLogprob);
    if (delta.content) yield { type: 'text', text: delta.content, ...(known && { logprobs: known }) };
    for (const call of delta.tool_calls ?? []) yield* readCall(call);
  }

  return {
    reason: () => reason,
    /** It exceeded its limit: the other server does not know that it has ended. */
    isCut: () => isCut,
    tokens: () => tokens,
    reasoningTokens: () => reasoningTokens,
    /** The events of a chunk. A chunk counts as one token, or as many as it has log probabilities. */
    read(piece: ChunkChoice): Delta[] {
      if (reason) return [];
      const deltas = [...readDelta(piece)];
      // A server that was given no limit may not enforce one.
      if (deltas.length > 0 && tokens >= tokensMax) {
        reason = 'length';
        isCut = true;
        return [];
      }
      const counted = deltas.length === 0 ? 0 : Math.max(1, piece.logprobs?.content?.length ?? 1);
      tokens += counted;
      if (deltas[0]?.type === 'reasoning') reasoningTokens += counted;
      if (piece.finish_reason) reason = toReason(piece.finish_reason);
      return deltas;
    },
  };
}

function toReason(finish: string): Exclude<EndReason, 'abort'> {
  if (finish === 'length' || finish === 'tool_calls') return finish;
  return 'stop';
}

function toLogprob({ top_logprobs: top, ...own }: WireLogprob): Logprob {
  return { ...toTokenLogprob(own), top: (top ?? []).map(toTokenLogprob) };
}

function toTokenLogprob({ token, logprob, bytes }: WireTokenLogprob): TokenLogprob {
  return { token, logprob, bytes: bytes ?? [...Buffer.from(token)] };
}

function nameless(): Failure {
  return new Failure('upstream_failed', 'The upstream server returned a tool call without a name.');
}
