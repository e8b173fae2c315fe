import { createInterface } from 'node:readline';
import { Failure } from '../errors.ts';
import { messageText, type ChatEvent, type ChatMessage, type ChatRequest } from '../runtime/engine.ts';
import { parseJson, readError, type Answer, type Send } from './send.ts';

/** Fewer bytes to a token than most texts have, so that what is held for a prompt is enough. */
const BYTES_PER_TOKEN = 3;
const TOKENS_PER_MESSAGE = 8;

/** What a prompt will be at most or nearly so; only the other server has the tokenizer. */
export function estimateTokens(messages: readonly ChatMessage[]): number {
  const bytes = messages.reduce((sum, message) => sum + Buffer.byteLength(messageText(message)), 0);
  return Math.ceil(bytes / BYTES_PER_TOKEN) + messages.length * TOKENS_PER_MESSAGE;
}

type Chunk = {
  choices?: { delta?: { content?: string | null }; finish_reason?: string | null }[];
  usage?: Usage | null;
  error?: unknown;
};

type Usage = {
  prompt_tokens?: number;
  completion_tokens?: number;
  prompt_tokens_details?: { cached_tokens?: number } | null;
};

/** An answer of the other server, text by text as it comes, with the usage that it counted. */
export function createChat(send: Send, model: string) {
  return async function* chat(request: ChatRequest, signal: AbortSignal): AsyncGenerator<ChatEvent> {
    const promptTokens = estimateTokens(request.messages);
    let completionTokens = 0;
    try {
      const answer = await send('/chat/completions', toBody(model, request), signal);
      yield { type: 'prompt', promptTokens, cachedTokens: 0 };
      let reason: 'stop' | 'length' | undefined;
      let usage: Usage | undefined;
      for await (const chunk of readChunks(answer)) {
        const { delta, finish_reason: finish } = chunk.choices?.[0] ?? {};
        usage = chunk.usage ?? usage;
        if (finish) reason = finish === 'length' ? 'length' : 'stop';
        if (!delta?.content) continue;
        // Who was not told a limit may know none.
        if (completionTokens === request.maxTokens) {
          reason = 'length';
          break;
        }
        completionTokens += 1;
        yield { type: 'text', text: delta.content, completionTokens };
      }
      if (!reason) throw brokeOff();
      yield { type: 'end', reason, ...counted(usage, completionTokens) };
    } catch (error) {
      if (!signal.aborted) throw error;
      yield { type: 'end', reason: 'abort', completionTokens };
    }
  };
}

function counted(usage: Usage | undefined, completionTokens: number) {
  if (usage?.prompt_tokens === undefined) return { completionTokens };
  const cachedTokens = usage.prompt_tokens_details?.cached_tokens ?? 0;
  return {
    completionTokens: usage.completion_tokens ?? completionTokens,
    prompt: { promptTokens: usage.prompt_tokens, cachedTokens },
  };
}

function toBody(model: string, { messages, askedTokens, stop, sampling }: ChatRequest) {
  return {
    model,
    messages: messages.map(withImageUrls),
    stream: true,
    stream_options: { include_usage: true },
    ...(askedTokens !== undefined && { max_tokens: askedTokens }),
    ...(stop.length > 0 && { stop }),
    temperature: sampling.temperature,
    top_p: sampling.topP,
    presence_penalty: sampling.presencePenalty,
    frequency_penalty: sampling.frequencyPenalty,
    ...(sampling.seed !== undefined && { seed: sampling.seed }),
  };
}

/** Images as that convention has them. */
function withImageUrls(message: ChatMessage) {
  if (typeof message.content === 'string') return message;
  const parts = message.content.map((part) => {
    if (part.type === 'text') return part;
    return { type: 'image_url', image_url: { url: `data:${part.mime};base64,${part.data}` } };
  });
  return { ...message, content: parts };
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
