import type { ChatMessage as WireMessage } from '../src/api/chat.ts';
import { Failure } from '../src/errors.ts';
import type { ChatMessage, ContentPart, ToolCall } from '../src/runtime/engine.ts';
import type { ImagePart } from './image-reader.ts';

/** The messages of a request in our own terms, or the Failure that names the field which its role may not have or lacks. */
export function toMessages(messages: readonly WireMessage[], images: Images = NO_IMAGES): ChatMessage[] {
  const known = new Set<string>();
  return messages.map((message, index) => {
    const param = `messages[${index}]`;
    refuseForeignFields(message, param);
    if (message.role !== 'user') refuseImages(message, param);
    if (message.role === 'assistant') return toAssistant(message, known, param);
    if (message.role === 'user' && hasImageParts(message)) {
      return { role: 'user', content: partsOf(message, images) };
    }
    const content = contentOf(message);
    if (content === undefined) throw missing(`${param}.content`);
    if (message.role === 'tool') return toResult(message, known, param);
    return { role: message.role === 'developer' ? 'system' : message.role, content };
  });
}

/** What belongs to one role alone. */
const OWNERS = { tool_calls: 'assistant', reasoning_content: 'assistant', tool_call_id: 'tool' } as const;

function refuseForeignFields(message: WireMessage, param: string): void {
  for (const [field, role] of Object.entries(OWNERS)) {
    if (message[field as keyof typeof OWNERS] === undefined || message.role === role) continue;
    throw new Failure('invalid_value', `Only a message of the role ${role} has "${field}".`, {
      param: `${param}.${field}`,
    });
  }
}

function toAssistant(message: WireMessage, known: Set<string>, param: string): ChatMessage {
  const toolCalls: ToolCall[] = (message.tool_calls ?? []).map(
    ({ id, function: { name, arguments: text } }) => ({
      id,
      name,
      arguments: text,
    }),
  );
  for (const { id } of toolCalls) known.add(id);
  const content = contentOf(message);
  if (content === undefined && toolCalls.length === 0) throw missing(`${param}.content`);
  return {
    role: 'assistant',
    content: content ?? '',
    ...(message.reasoning_content && { reasoning: message.reasoning_content }),
    ...(toolCalls.length > 0 && { toolCalls }),
  };
}

function toResult(message: WireMessage, known: ReadonlySet<string>, param: string): ChatMessage {
  const id = message.tool_call_id;
  if (id === undefined) throw missing(`${param}.tool_call_id`);
  if (known.has(id)) return { role: 'tool', toolCallId: id, content: contentOf(message) ?? '' };
  throw new Failure('invalid_value', `No message before this one has a tool call with the id "${id}".`, {
    param: `${param}.tool_call_id`,
  });
}

function contentOf({ content }: WireMessage): string | undefined {
  if (typeof content !== 'object') return content;
  return content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}

/** The images of a request by their URLs, read before. */
export type Images = ReadonlyMap<string, ImagePart>;
const NO_IMAGES: Images = new Map();

/** All that the messages bring; the same one twice is one. */
export async function readImages(
  messages: readonly WireMessage[],
  read: (url: string, param: string) => Promise<ImagePart>,
): Promise<Images> {
  const images = new Map<string, ImagePart>();
  for (const [index, { content }] of messages.entries()) {
    if (typeof content !== 'object') continue;
    for (const [place, part] of content.entries()) {
      if (part.type !== 'image_url' || images.has(part.image_url.url)) continue;
      const param = `messages[${index}].content[${place}].image_url.url`;
      images.set(part.image_url.url, await read(part.image_url.url, param));
    }
  }
  return images;
}

function hasImageParts({ content }: WireMessage): boolean {
  return typeof content === 'object' && content.some(({ type }) => type === 'image_url');
}

function partsOf({ content }: WireMessage, images: Images): ContentPart[] {
  if (typeof content !== 'object') return [];
  return content.flatMap((part): ContentPart[] => {
    if (part.type === 'text') return [{ type: 'text', text: part.text }];
    const image = images.get(part.image_url.url);
    return image ? [image] : [];
  });
}

function refuseImages(message: WireMessage, param: string): void {
  if (!hasImageParts(message)) return;
  throw new Failure('invalid_value', 'Only a message of the role user may have images.', {
    param: `${param}.content`,
  });
}

function missing(param: string): Failure {
  return new Failure('missing_required_parameter', `"${param}" is missing.`, { param });
}
