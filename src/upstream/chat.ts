import {
  hasImages,
  messageText,
  type ChatEvent,
  type ChatPrompt,
  type ChatRequest,
} from '../runtime/engine.ts';
import { brokeOff, readLines, toBreak, withFirst } from './answer.ts';
import { toBody } from './chat-body.ts';
import { createChoice, type Choice, type ChunkChoice } from './chat-choice.ts';
import { parseJson, readError, type Answer, type Send } from './send.ts';

/** Fewer bytes per token than most texts have, so that the credits held for a prompt suffice. */
const BYTES_PER_TOKEN = 3;
const TOKENS_PER_MESSAGE = 8;
/** The tokens of a typical image in most models, or more. */
const TOKENS_PER_IMAGE = 1500;

/** An upper estimate of the prompt's tokens; only the other server has the tokenizer. */
export function estimateTokens({ messages, tools = [], format }: ChatPrompt): number {
  const texts = messages.map(messageText);
  const calls = messages.map((message) => ('toolCalls' in message ? (message.toolCalls ?? []) : []));
  const beside = [...calls, ...tools, ...(format ? [format] : [])].map((each) => JSON.stringify(each));
  const bytes = [...texts, ...beside].reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  const images = messages
    .filter(hasImages)
    .flatMap(({ content }) => [...content])
    .filter(isImage).length;
  return (
    Math.ceil(bytes / BYTES_PER_TOKEN) + messages.length * TOKENS_PER_MESSAGE + images * TOKENS_PER_IMAGE
  );
}

function isImage(part: unknown): boolean {
  return (part as { type?: unknown }).type === 'image';
}

type Chunk = { choices?: ChunkChoice[]; usage?: Usage | null; error?: unknown };

type Usage = {
  prompt_tokens?: number;
  completion_tokens?: number;
  prompt_tokens_details?: { cached_tokens?: number } | null;
  completion_tokens_details?: { reasoning_tokens?: number | null } | null;
};

/** Streams an answer of the other server, with the usage that it counted. */
export function createChat(send: Send, model: string) {
  return async function* chat(request: ChatRequest, signal: AbortSignal): AsyncGenerator<ChatEvent> {
    const choices = Array.from({ length: request.choices ?? 1 }, () => createChoice(request.maxTokens));
    try {
      const body = toBody(model, request);
      yield { type: 'prompt', promptTokens: estimateTokens(request), cachedTokens: 0 };
      const chunks = await send('/chat/completions', body, {
        signal,
        read: (answer) => withFirst(readChunks(answer)),
      });
      const usage = yield* readAnswers(chunks, choices);
      if (choices.some((choice) => !choice.reason())) throw brokeOff();
      yield* endsOf(choices, usage);
    } catch (error) {
      if (!signal.aborted) throw error;
      yield { type: 'end', reason: 'abort', completionTokens: sumOf(choices) };
    }
  };
}

async function* readAnswers(
  chunks: AsyncGenerator<Chunk>,
  choices: readonly Choice[],
): AsyncGenerator<ChatEvent, Usage | undefined> {
  let usage: Usage | undefined;
  for await (const chunk of chunks) {
    usage = chunk.usage ?? usage;
    for (const piece of chunk.choices ?? []) {
      const index = piece.index ?? 0;
      const deltas = choices[index]?.read(piece) ?? [];
      const completionTokens = sumOf(choices);
      for (const event of deltas) yield { ...event, completionTokens, ...(index > 0 && { choice: index }) };
    }
    // A server that was given no limit would go on forever.
    if (choices.every((choice) => choice.isCut())) break;
  }
  return usage;
}

function* endsOf(choices: readonly Choice[], usage: Usage | undefined): Generator<ChatEvent> {
  const completionTokens = usage?.completion_tokens ?? sumOf(choices);
  const prompt = promptOf(usage);
  for (const [index, choice] of choices.entries()) {
    const counted = choices.length === 1 ? usage?.completion_tokens_details?.reasoning_tokens : undefined;
    const reasoningTokens = counted ?? choice.reasoningTokens();
    yield {
      type: 'end',
      reason: choice.reason() ?? 'stop',
      completionTokens,
      ...(index > 0 && { choice: index }),
      ...(reasoningTokens > 0 && { reasoningTokens }),
      ...(prompt && { prompt }),
    };
  }
}

function promptOf(usage: Usage | undefined) {
  if (usage?.prompt_tokens === undefined) return undefined;
  const cachedTokens = usage.prompt_tokens_details?.cached_tokens ?? 0;
  return { promptTokens: usage.prompt_tokens, cachedTokens };
}

function sumOf(choices: readonly Choice[]): number {
  return choices.reduce((sum, choice) => sum + choice.tokens(), 0);
}

async function* readChunks({ body, conceal, end }: Answer): AsyncGenerator<Chunk> {
  let isDone = false;
  try {
    for await (const line of readLines(body)) {
      const data = /^data: ?(.*)$/.exec(line)?.[1];
      if (data === '[DONE]') isDone = true;
      if (data === undefined || isDone) continue;
      const chunk = parseJson(data) as Chunk | undefined;
      if (chunk?.error) throw brokeOff(readError(data, conceal).message);
      if (chunk) yield chunk;
    }
  } catch (cause) {
    throw toBreak(cause);
  } finally {
    end();
  }
  if (!isDone) throw brokeOff();
}
