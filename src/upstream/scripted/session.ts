import { randomUUID } from 'node:crypto';
import { Failure } from '../../base/errors.ts';
import type { ChatEvent, ChatRequest, Session } from '../../runtime/engine.ts';
import { estimateTokens } from '../chat.ts';
import { CONTEXT_TOKENS } from './manifest.ts';
import type { Answer } from './parse-script.ts';
import type { Script } from './script.ts';

/** A model whose answers come from a file. Nothing is generated, so it needs no runner process. */
export function openScript(script: Script, { slots }: { slots: number }): Session {
  return {
    description: {
      slots,
      contextTokens: CONTEXT_TOKENS,
      threads: 0,
      device: 'script',
      memory: { ram: 0, vram: 0 },
      countsAreEstimates: true,
    },
    countTokens: async (prompt) => estimateTokens(prompt),
    async *chat(request, signal) {
      const answer = script.answerTo(request);
      if (answer.error) throw toFailure(answer.error);
      const { usage = {} } = answer;
      const prompt = {
        promptTokens: usage.prompt_tokens ?? estimateTokens(request),
        cachedTokens: usage.cached_tokens ?? 0,
      };
      yield { type: 'prompt', ...prompt };
      let tokens = 0;
      for (let choice = 0; choice < (request.choices ?? 1); choice += 1) {
        for (const event of eventsOf(answer, request, tokens)) {
          if (signal.aborted) {
            yield { type: 'end', reason: 'abort', completionTokens: tokens };
            return;
          }
          tokens = event.completionTokens;
          yield { ...event, ...(choice > 0 && { choice }), ...(event.type === 'end' && { prompt }) };
        }
      }
    },
    [Symbol.asyncDispose]: async () => undefined,
  };
}

type Piece = Exclude<ChatEvent, { type: 'prompt' }>;

/** One choice, word by word: a word counts as a token. */
function* eventsOf(answer: Answer, { maxTokens, stop }: ChatRequest, before: number): Generator<Piece> {
  const { reasoning = '', text = '', tool_calls: calls = [], usage = {} } = answer;
  const said = cutAt(text, stop);
  let tokens = 0;
  const counted = () => before + tokens;
  const end = (reason: 'stop' | 'length' | 'tool_calls', reasoningTokens: number): Piece => ({
    type: 'end',
    reason,
    completionTokens: reason === 'length' ? counted() : before + (usage.completion_tokens ?? tokens),
    ...(reasoningTokens > 0 && { reasoningTokens }),
    ...(reason === 'stop' && said.stopText !== undefined && { stopText: said.stopText }),
  });

  let thought = 0;
  const words = [
    ...wordsOf(reasoning).map((word) => ({ type: 'reasoning', text: word }) as const),
    ...wordsOf(said.text).map((word) => ({ type: 'text', text: word }) as const),
  ];
  for (const word of words) {
    if (tokens >= maxTokens) {
      yield end('length', thought);
      return;
    }
    tokens += 1;
    if (word.type === 'reasoning') thought += 1;
    yield { ...word, completionTokens: counted() };
  }
  for (const [index, { id = `call_${randomUUID()}`, name, arguments: values = {} }] of calls.entries()) {
    tokens += 1;
    yield { type: 'toolCall', index, id, name, completionTokens: counted() };
    yield { type: 'toolArguments', index, text: JSON.stringify(values), completionTokens: counted() };
  }
  yield end(calls.length > 0 ? 'tool_calls' : 'stop', usage.reasoning_tokens ?? thought);
}

function wordsOf(text: string): string[] {
  return text.match(/\s*\S+|\s+$/g) ?? [];
}

/** Up to the first stop sequence, where a model would end. */
function cutAt(text: string, stop: readonly string[]): { text: string; stopText?: string } {
  const [first] = stop
    .map((sequence) => ({ sequence, at: text.indexOf(sequence) }))
    .filter(({ at }) => at >= 0)
    .sort((one, other) => one.at - other.at);
  return first ? { text: text.slice(0, first.at), stopText: first.sequence } : { text };
}

function toFailure({ code, message, retry_after: seconds }: NonNullable<Answer['error']>): Failure {
  return new Failure(code, message ?? 'A scripted error.', {
    ...(seconds !== undefined && { retryAfterSeconds: seconds }),
  });
}
