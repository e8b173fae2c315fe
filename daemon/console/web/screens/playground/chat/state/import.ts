import type { ChatMessage, ChatPart } from '../../../../../../../src/api/chat/chat.ts';
import { answerTurn, newId, userTurn, type Attachment, type Call, type Turn } from './turn.ts';

export type Imported = { system: string; turns: Turn[] };

/** Reads a request, or only its messages. Throws what is wrong, with the position in the file. */
export function readConversation(text: string): Imported {
  const messages = messagesOf(parse(text));
  const system: string[] = [];
  const turns: Turn[] = [];
  for (const [index, message] of messages.entries()) {
    const at = `messages[${index}]`;
    if (message.role === 'system' || message.role === 'developer') system.push(textOf(message, at));
    else addMessage(turns, message, at);
  }
  return { system: system.join('\n\n'), turns };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error('This file is not JSON. Choose a request with "messages", or a list of messages.');
  }
}

function messagesOf(value: unknown): ChatMessage[] {
  const list = Array.isArray(value) ? value : (value as { messages?: unknown } | null)?.messages;
  if (!Array.isArray(list) || list.length === 0)
    throw new Error('This file has no "messages". Choose a request, or a list of messages.');
  const wrong = list.findIndex((each) => typeof (each as { role?: unknown } | null)?.role !== 'string');
  if (wrong !== -1) throw new Error(`messages[${wrong}] has no "role".`);
  return list as ChatMessage[];
}

function addMessage(turns: Turn[], message: ChatMessage, at: string): void {
  const { role } = message;
  if (role === 'user') turns.push(userTurn(textOf(message, at), attachmentsOf(message, at)));
  else if (role === 'assistant') turns.push(toAnswer(message, at));
  else if (role === 'tool') addResult(turns, message, at);
  else throw new Error(`${at} has the role ${JSON.stringify(role)}, which no message can have.`);
}

function toAnswer(message: ChatMessage, at: string): Turn {
  const { reasoning_content: reasoning = '', tool_calls: calls = [] } = message;
  const choice = { content: textOf(message, at), reasoning, calls: calls.map(toCall), finish: null };
  return { ...answerTurn('', choice), state: 'done' };
}

function toCall({ id, function: called, custom }: NonNullable<ChatMessage['tool_calls']>[number]): Call {
  const isCustom = custom !== undefined;
  return {
    id,
    name: called?.name ?? custom?.name ?? '',
    text: called?.arguments ?? custom?.input ?? '',
    isCustom,
  };
}

/** The results of one answer's calls are grouped together. */
function addResult(turns: Turn[], message: ChatMessage, at: string): void {
  const { tool_call_id: id = '' } = message;
  const calls = turns.flatMap((turn) => (turn.kind === 'answer' ? (turn.choices[0]?.calls ?? []) : []));
  const call = calls.find((each) => each.id === id);
  if (call === undefined)
    throw new Error(`${at} answers the call ${JSON.stringify(id)}, which no message has.`);
  const result = { id, name: call.name, content: textOf(message, at) };
  const last = turns.at(-1);
  if (last?.kind === 'results') turns[turns.length - 1] = { ...last, results: [...last.results, result] };
  else turns.push({ kind: 'results', id: newId(), results: [result] });
}

function textOf({ content }: ChatMessage, at: string): string {
  if (content === undefined || content === null) return '';
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) throw new Error(`${at}.content is neither a text nor a list of parts.`);
  return content.flatMap(({ text, refusal }) => text ?? refusal ?? []).join('\n');
}

function attachmentsOf({ content }: ChatMessage, at: string): Attachment[] {
  if (!Array.isArray(content)) return [];
  return content.flatMap((part, place) => toAttachment(part, `${at}.content[${place}]`));
}

function toAttachment({ type, image_url: image, file }: ChatPart, at: string): Attachment[] {
  if (type === 'image_url') {
    const url = typeof image === 'string' ? image : image?.url;
    if (url === undefined) throw new Error(`${at} has no "image_url".`);
    return [{ kind: 'image', name: 'image', url }];
  }
  if (type !== 'file') return [];
  if (file?.file_data === undefined) throw new Error(`${at} has no "file.file_data".`);
  return [{ kind: 'document', name: file.filename ?? 'file', url: file.file_data }];
}
