import { randomUUID } from 'node:crypto';
import type { OllamaMessage, OllamaTool } from '../../../src/api/ollama/chat.ts';
import type { ChatMessage, ContentPart, ToolCall, ToolDefinition } from '../../../src/runtime/engine.ts';
import type { ReadImage } from '../../attachments/image-reader.ts';
import { invalid } from '../../http/required.ts';

export type ReadPicture = (url: string, param: string) => ReturnType<ReadImage>;

/** Translates the messages of a request. Ollama's calls have no ids: results name the tool. */
export async function toMessages(
  messages: readonly OllamaMessage[],
  read: ReadPicture,
): Promise<ChatMessage[]> {
  const open: ToolCall[] = [];
  const turns: ChatMessage[] = [];
  for (const [index, message] of messages.entries()) {
    const param = `messages[${index}]`;
    const { role, content = '', images = [], thinking } = message;
    if (images.length > 0 && role !== 'user')
      throw invalid(`${param}.images`, 'Only messages with the role user may have images.');
    if (role === 'assistant') {
      const toolCalls = (message.tool_calls ?? []).map(toCall);
      open.push(...toolCalls);
      turns.push({
        role,
        content,
        ...(thinking && { reasoning: thinking }),
        ...(toolCalls.length > 0 && { toolCalls }),
      });
    } else if (role === 'tool') {
      turns.push({ role, toolCallId: answeredCall(message, open, param), content });
    } else if (role === 'user') {
      turns.push({ role, content: await withImages(content, images, `${param}.images`, read) });
    } else {
      turns.push({ role: 'system', content });
    }
  }
  return turns;
}

function toCall({
  id,
  function: { name, arguments: given = {} },
}: NonNullable<OllamaMessage['tool_calls']>[number]): ToolCall {
  const text = typeof given === 'string' ? given : JSON.stringify(given);
  return { id: id ?? newCallId(), name, arguments: text };
}

export function newCallId(): string {
  return `call_${randomUUID().replaceAll('-', '').slice(0, 24)}`;
}

/**
 * The call that a result answers: by its id, otherwise the first unanswered call of that tool, otherwise the first
 * unanswered call.
 */
function answeredCall(message: OllamaMessage, open: ToolCall[], param: string): string {
  const { tool_call_id: id, tool_name: name } = message;
  const byId = open.findIndex((call) => call.id === id);
  const byName = open.findIndex((call) => call.name === name);
  const place = byId >= 0 ? byId : name === undefined ? 0 : byName;
  const [call] = place < 0 ? [] : open.splice(place, 1);
  if (call) return call.id;
  const what = name === undefined ? 'a tool' : `the tool "${name}"`;
  throw invalid(param, `No earlier message calls ${what} that still lacks a result.`);
}

export async function withImages(
  text: string,
  images: readonly string[],
  param: string,
  read: ReadPicture,
): Promise<string | ContentPart[]> {
  if (images.length === 0) return text;
  const parts: ContentPart[] = [];
  for (const [place, image] of images.entries()) parts.push(await read(toUrl(image), `${param}[${place}]`));
  return text === '' ? parts : [...parts, { type: 'text', text }];
}

/** Ollama's images are plain base64; their type is detected from the bytes. */
function toUrl(image: string): string {
  return /^(data:|https?:)/.test(image) ? image : `data:image/png;base64,${image}`;
}

export function toTools(tools: readonly OllamaTool[] = []): { tools?: ToolDefinition[] } {
  if (tools.length === 0) return {};
  return {
    tools: tools.map(({ function: { name, description, parameters } }) => ({
      name,
      ...(description !== undefined && { description }),
      parameters: parameters ?? { type: 'object', properties: {} },
    })),
  };
}
