import type { ChatMessage as WireMessage, ChatPart } from '../../../src/api/chat/chat.ts';
import type { ChatToolCall } from '../../../src/api/chat/tools.ts';
import { Failure } from '../../../src/base/errors.ts';
import type { ChatMessage, ContentPart, ToolCall } from '../../../src/runtime/engine.ts';
import { customArguments } from './custom-tools.ts';
import type { ImagePart } from '../../attachments/image-reader.ts';
import { required } from '../../http/required.ts';

/** Translates the messages of a request. A Failure names the field that a role must or must not have. */
export function toMessages(messages: readonly WireMessage[], images: Images = NO_IMAGES): ChatMessage[] {
  const known = new Map<string, string>();
  return messages.map((message, index) => {
    const param = `messages[${index}]`;
    refuseForeignFields(message, param);
    if (message.role !== 'user') refuseImages(message, param);
    if (message.role === 'assistant') return toAssistant(message, known, param);
    if (message.role === 'user' && hasImageParts(message)) {
      return { role: 'user', content: partsOf(message, images, param), ...nameOf(message) };
    }
    const content = contentOf(message, param);
    if (content === undefined) throw missing(`${param}.content`);
    if (message.role === 'tool') return toResult(message, known, param);
    const role = message.role === 'developer' ? 'system' : message.role;
    return { role, content, ...nameOf(message) };
  });
}

/** Fields that only one role may have. */
const OWNERS = {
  tool_calls: 'assistant',
  reasoning_content: 'assistant',
  reasoning: 'assistant',
  refusal: 'assistant',
  tool_call_id: 'tool',
} as const;

function refuseForeignFields(message: WireMessage, param: string): void {
  for (const [field, role] of Object.entries(OWNERS)) {
    if (message[field as keyof typeof OWNERS] === undefined || message.role === role) continue;
    throw new Failure('invalid_value', `Only messages with the role ${role} may have "${field}".`, {
      param: `${param}.${field}`,
    });
  }
}

function toAssistant(message: WireMessage, known: Map<string, string>, param: string): ChatMessage {
  const toolCalls = (message.tool_calls ?? []).map((call, place) =>
    toCall(call, `${param}.tool_calls[${place}]`),
  );
  for (const { id, name } of toolCalls) known.set(id, name);
  const content = contentOf(message, param) ?? message.refusal;
  const reasoning = message.reasoning_content ?? message.reasoning;
  if (content === undefined && toolCalls.length === 0 && !reasoning) throw missing(`${param}.content`);
  return {
    role: 'assistant',
    content: content ?? '',
    ...nameOf(message),
    ...(reasoning && { reasoning }),
    ...(toolCalls.length > 0 && { toolCalls }),
  };
}

function toCall({ id, type, function: called, custom }: ChatToolCall, param: string): ToolCall {
  if (type === 'custom') {
    const { name, input } = required(custom, `${param}.custom`);
    return { id, name, arguments: customArguments(input) };
  }
  const { name, arguments: text } = required(called, `${param}.function`);
  return { id, name, arguments: text };
}

function toResult(message: WireMessage, known: ReadonlyMap<string, string>, param: string): ChatMessage {
  const id = message.tool_call_id;
  if (id === undefined) throw missing(`${param}.tool_call_id`);
  const name = known.get(id);
  if (name !== undefined && message.name !== undefined && message.name !== name) {
    throw new Failure('invalid_value', `The tool call "${id}" is a call of "${name}".`, {
      param: `${param}.name`,
    });
  }
  if (name !== undefined) return { role: 'tool', toolCallId: id, content: contentOf(message, param) ?? '' };
  throw new Failure('invalid_value', `No earlier message has a tool call with the id "${id}".`, {
    param: `${param}.tool_call_id`,
  });
}

function nameOf({ name }: WireMessage): { name?: string } {
  return name === undefined ? {} : { name };
}

function contentOf({ content }: WireMessage, param: string): string | undefined {
  if (typeof content !== 'object') return content;
  return content.flatMap((part, place) => textOf(part, param, place) ?? []).join('\n');
}

/** The text of a part; empty for an image. There may be a million parts, so paths are only built for errors. */
function textOf({ type, text, refusal }: ChatPart, param: string, place: number): string | undefined {
  if (type === 'image_url') return undefined;
  const value = type === 'text' ? text : refusal;
  if (value === undefined) throw missing(`${param}.content[${place}].${type}`);
  return value;
}

function urlOf({ image_url: image }: ChatPart, param: string, place: number): string {
  if (image === undefined) throw missing(`${param}.content[${place}].image_url`);
  return typeof image === 'string' ? image : image.url;
}

/** The images of a request, already read, by URL. */
export type Images = ReadonlyMap<string, ImagePart>;
const NO_IMAGES: Images = new Map();

/** Reads all images of the messages, each URL once. */
export async function readImages(
  messages: readonly WireMessage[],
  read: (url: string, param: string) => Promise<ImagePart>,
): Promise<Images> {
  const images = new Map<string, ImagePart>();
  for (const [index, { content }] of messages.entries()) {
    if (typeof content !== 'object') continue;
    for (const [place, part] of content.entries()) {
      if (part.type !== 'image_url') continue;
      const param = `messages[${index}]`;
      const url = urlOf(part, param, place);
      const field = typeof part.image_url === 'string' ? 'image_url' : 'image_url.url';
      if (!images.has(url)) images.set(url, await read(url, `${param}.content[${place}].${field}`));
    }
  }
  return images;
}

function hasImageParts({ content }: WireMessage): boolean {
  return typeof content === 'object' && content.some(({ type }) => type === 'image_url');
}

function partsOf({ content }: WireMessage, images: Images, param: string): ContentPart[] {
  if (typeof content !== 'object') return [];
  return content.flatMap((part, place): ContentPart[] => {
    const text = textOf(part, param, place);
    if (text !== undefined) return [{ type: 'text', text }];
    const image = images.get(urlOf(part, param, place));
    return image ? [image] : [];
  });
}

function refuseImages(message: WireMessage, param: string): void {
  if (!hasImageParts(message)) return;
  throw new Failure('invalid_value', 'Only messages with the role user may have images.', {
    param: `${param}.content`,
  });
}

function missing(param: string): Failure {
  return new Failure('missing_required_parameter', `"${param}" is missing.`, { param });
}
