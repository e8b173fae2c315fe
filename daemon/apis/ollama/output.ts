import type { OllamaChatAnswer } from '../../../src/api/ollama/chat.ts';
import type { GenerateAnswer } from '../../../src/api/ollama/generate.ts';
import type { ChatProgress } from '../../../src/inference/chat.ts';
import type { Logprob, TokenLogprob } from '../../../src/runtime/engine.ts';
import { createCounts } from '../chat/usage.ts';
import type { Times } from './times.ts';

type Call = NonNullable<OllamaChatAnswer['message']['tool_calls']>[number];

/** The content of one line; the last one has the reason for the end. */
export type Piece = {
  text?: string;
  thinking?: string;
  calls?: Call[];
  logprobs?: NonNullable<OllamaChatAnswer['logprobs']>;
  ending?: Ending;
};
type Ending = { done_reason: string; prompt_eval_count: number; eval_count: number } & ReturnType<
  Times['soFar']
>;

/** Shared by `chat` and `generate`. A tool call is sent whole, as soon as it is complete. */
export async function* toPieces(progress: AsyncIterable<ChatProgress>, times: Times): AsyncGenerator<Piece> {
  const counts = createCounts();
  let open: OpenCall | undefined;
  let reason = 'stop';

  function* close(): Generator<Piece> {
    if (open) yield { calls: [toCall(open)] };
    open = undefined;
  }

  for await (const event of progress) {
    counts.add(event);
    if (event.type !== 'prompt') times.said();
    if (event.type === 'toolArguments') {
      if (open) open.text += event.text;
      continue;
    }
    yield* close();
    if (event.type === 'toolCall') open = { id: event.id, name: event.name, index: event.index, text: '' };
    if (event.type === 'text') {
      const { text, logprobs } = event;
      yield { text, ...(logprobs && { logprobs: logprobs.map(toLogprob) }) };
    }
    if (event.type === 'reasoning') yield { thinking: event.text };
    if (event.type === 'end') reason = REASONS[event.reason];
  }
  yield* close();
  const { promptTokens, completionTokens } = counts.now();
  const used = { prompt_eval_count: promptTokens, eval_count: completionTokens };
  yield { ending: { done_reason: reason, ...times.soFar(), ...used } };
}

type OpenCall = { id: string; name: string; index: number; text: string };

function toCall({ id, name, index, text }: OpenCall): Call {
  return { id, function: { index, name, arguments: readArguments(text) } };
}

/** A truncated answer can end in the middle of them. */
function readArguments(text: string): Record<string, unknown> | string {
  try {
    return JSON.parse(text || '{}') as Record<string, unknown>;
  } catch {
    return text;
  }
}

const REASONS: Record<Extract<ChatProgress, { type: 'end' }>['reason'], string> = {
  stop: 'stop',
  length: 'length',
  tool_calls: 'stop',
  content_filter: 'content_filter',
};

function toLogprob({ top, ...token }: Logprob) {
  return { ...toTokenLogprob(token), ...(top.length > 0 && { top_logprobs: top.map(toTokenLogprob) }) };
}

function toTokenLogprob({ token, logprob, bytes }: TokenLogprob) {
  return { token, logprob, bytes: [...bytes] };
}

/** Collects all pieces. */
export async function collectPieces(pieces: AsyncIterable<Piece>): Promise<Piece> {
  const whole: Piece = {};
  for await (const { text, thinking, calls, logprobs, ending } of pieces) {
    if (text !== undefined) whole.text = (whole.text ?? '') + text;
    if (thinking !== undefined) whole.thinking = (whole.thinking ?? '') + thinking;
    if (calls) whole.calls = [...(whole.calls ?? []), ...calls];
    if (logprobs) whole.logprobs = [...(whole.logprobs ?? []), ...logprobs];
    if (ending) whole.ending = ending;
  }
  return whole;
}

type Heading = { model: string; created_at: string };

export function toChatLine(heading: Heading, piece: Piece): OllamaChatAnswer {
  const { text = '', thinking, calls } = piece;
  return {
    ...heading,
    message: {
      role: 'assistant',
      content: text,
      ...(thinking !== undefined && { thinking }),
      ...(calls && { tool_calls: calls }),
    },
    ...restOf(piece),
  };
}

/** `context` belongs in the last line. */
export function toGenerateLine(heading: Heading, piece: Piece, context?: number[]): GenerateAnswer {
  const { text = '', thinking } = piece;
  return {
    ...heading,
    response: text,
    ...(thinking !== undefined && { thinking }),
    ...restOf(piece),
    ...(piece.ending && context && { context }),
  };
}

function restOf({ logprobs, ending }: Piece) {
  return { ...(logprobs && { logprobs }), done: ending !== undefined, ...ending };
}
