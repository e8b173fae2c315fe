import type { OllamaChatRequest } from '../../../src/api/ollama/chat.ts';
import type { GenerateRequest } from '../../../src/api/ollama/generate.ts';
import type { ChatInput } from '../../../src/inference/chat.ts';
import type { ChatMessage } from '../../../src/runtime/engine.ts';
import { invalid } from '../../http/required.ts';
import { fromContextNumbers } from './conversation.ts';
import { toMessages, toTools, withImages, type ReadPicture } from './messages.ts';
import { readFormat, readOptions, readThink } from './sampling.ts';

type OllamaRequest = OllamaChatRequest | GenerateRequest;

/** Translates Ollama's API to our own types, and does nothing else. */
export async function toChatInput(
  body: OllamaChatRequest,
  model: string,
  read: ReadPicture,
): Promise<ChatInput> {
  const messages = await toMessages(body.messages ?? [], read);
  const last = messages.at(-1);
  return {
    ...commonInput(body, model),
    messages,
    ...(last?.role === 'assistant' && !last.toolCalls && { continues: true as const }),
    ...toTools(body.tools),
  };
}

export async function toGenerateInput(
  body: GenerateRequest,
  model: string,
  read: ReadPicture,
): Promise<ChatInput> {
  const { prompt = '', suffix, raw, system, images = [], context } = body;
  const common = commonInput(body, model);
  if (raw || suffix) {
    if (system || context || images.length > 0)
      throw invalid(
        raw ? 'raw' : 'suffix',
        `With "${raw ? 'raw' : 'suffix'}" the model gets only the prompt. Omit "system", "context" and "images".`,
      );
    return { ...common, messages: [], raw: { text: prompt, ...(suffix && { suffix }) } };
  }
  const content = await withImages(prompt, images, 'images', read);
  const before: ChatMessage[] = [...fromContextNumbers(context)];
  const messages: ChatMessage[] = system ? [{ role: 'system', content: system }, ...before] : before;
  return { ...common, messages: [...messages, { role: 'user', content }] };
}

function commonInput(body: OllamaRequest, model: string): Omit<ChatInput, 'messages'> {
  return {
    model,
    stream: body.stream ?? true,
    ...readOptions(body, model),
    ...readFormat(body.format),
    ...readThink(body.think),
  };
}
