import { createInterface } from 'node:readline';
import { Failure } from '../errors.ts';
import { messageText, type ChatEvent, type ChatMessage, type ChatRequest } from '../runtime/engine.ts';
import { toChatBody } from './chat-body.ts';
import { readChoice, readReason, type ChunkChoice } from './chat-chunks.ts';
import { parseJson, readError, type Answer, type Send } from './send.ts';

/** Fewer bytes to a token than most texts have, so that what is held for a prompt is enough. */
const BYTES_PER_TOKEN = 3;
const TOKENS_PER_MESSAGE = 8;

/** What a prompt will be at most or nearly so; only the other server has the tokenizer. */
export function estimateTokens(messages: readonly ChatMessage[]): number {
  const bytes = messages.reduce((sum, message) => sum + Buffer.byteLength(messageText(message)), 0);
  return Math.ceil(bytes / BYTES_PER_TOKEN) + messages.length * TOKENS_PER_MESSAGE;
}

type Chunk = { choices?: ChunkChoice[]; usage?: Usage | null; error?: unknown };

type Usage = {
  prompt_tokens?: number;
  completion_tokens?: number;
  prompt_tokens_details?: { cached_tokens?: number } | null;
  completion_tokens_details?: { reasoning_tokens?: number } | null;
};

type Reason = 'stop' | 'length' | 'tool_calls';

/** An answer of the other server, piece by piece as it comes, with the usage that it counted. */
export function createChat(send: Send, model: string) {
  return async function* chat(request: ChatRequest, signal: AbortSignal): AsyncGenerator<ChatEvent> {
    refuseWhatIsNotSaid(request);
    const promptTokens = estimateTokens(request.messages);
    const { choices = 1 } = request;
    const reasons: (Reason | undefined)[] = Array.from({ length: choices }, () => undefined);
    const numbered = (index: number) => (choices > 1 ? { choice: index } : {});
    let completionTokens = 0;
    let usage: Usage | undefined;
    try {
      const answer = await send('/chat/completions', toChatBody(model, request), signal);
      yield { type: 'prompt', promptTokens, cachedTokens: 0 };
      for await (const chunk of readChunks(answer)) {
        usage = chunk.usage ?? usage;
        const spoken = (chunk.choices ?? []).flatMap((choice) => {
          const index = choice.index ?? 0;
          if (choice.finish_reason) reasons[index] = readReason(choice.finish_reason);
          return readChoice(choice, numbered(index));
        });
        // Who was not told a limit may know none.
        if (spoken.length > 0 && completionTokens >= request.maxTokens * choices) {
          for (const index of reasons.keys()) reasons[index] ??= 'length';
          break;
        }
        for (const said of spoken) {
          completionTokens += said.type === 'toolCall' ? 0 : 1;
          yield { ...said, completionTokens };
        }
      }
      for (const [index, reason] of reasons.entries()) {
        if (!reason) throw brokeOff();
        yield { type: 'end', reason, ...counted(usage, completionTokens, index === 0), ...numbered(index) };
      }
    } catch (error) {
      if (!signal.aborted) throw error;
      yield { type: 'end', reason: 'abort', completionTokens };
    }
  };
}

/** The convention has no words for these. */
function refuseWhatIsNotSaid({ showPrompt, reasoning }: ChatRequest): void {
  if (!showPrompt && reasoning?.maxTokens === undefined) return;
  const what = showPrompt ? "Its prompt can't be shown" : "The length of its thoughts can't be set";
  throw new Failure('unsupported_parameter', `This model runs on another server. ${what}.`, {
    param: showPrompt ? 'x-askd-debug' : 'reasoning',
  });
}

/** What was thought is told once, with the first end. */
function counted(usage: Usage | undefined, completionTokens: number, isFirst: boolean) {
  if (usage?.prompt_tokens === undefined) return { completionTokens };
  const reasoningTokens = usage.completion_tokens_details?.reasoning_tokens ?? 0;
  return {
    completionTokens: usage.completion_tokens ?? completionTokens,
    prompt: {
      promptTokens: usage.prompt_tokens,
      cachedTokens: usage.prompt_tokens_details?.cached_tokens ?? 0,
    },
    ...(isFirst && reasoningTokens > 0 && { reasoningTokens }),
  };
}

async function* readChunks({ body, conceal, end }: Answer): AsyncGenerator<Chunk> {
  let isDone = false;
  try {
    for await (const line of createInterface({ input: body })) {
      const data = /^data: ?(.*)$/.exec(line)?.[1];
      if (data === '[DONE]') isDone = true;
      if (data === undefined || isDone) continue;
      const chunk = parseJson(data) as Chunk | undefined;
      if (chunk?.error) throw brokeOff(readError(data, conceal).message);
      if (chunk) yield chunk;
    }
  } catch (cause) {
    if (cause instanceof Failure) throw cause;
    throw brokeOff((cause as Error).message);
  } finally {
    body.on('error', () => undefined).destroy();
    end();
  }
  if (!isDone) throw brokeOff();
}

function brokeOff(why = 'it ended before the answer did'): Failure {
  return new Failure('upstream_failed', `The server that runs this model broke off: ${why}. Try again.`);
}
