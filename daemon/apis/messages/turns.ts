import {
  PROVIDER_CALLS,
  PROVIDER_RESULTS,
  type MessageBlock,
  type ResultPart,
} from '../../../src/api/chat/message-blocks.ts';
import type { TurnMessage } from '../../../src/api/chat/messages.ts';
import { modelToolName } from '../../../src/agent/mcp/tool-names.ts';
import type { ChatMessage, ContentPart, ToolCall } from '../../../src/runtime/engine.ts';
import type { HostedTools } from '../hosted/hosted-tool.ts';
import { forModel } from '../hosted/mcp.ts';
import type { LeaveOut } from '../parameters/leave-out.ts';
import { cannotBeDone, invalid, misplaced, required } from './invalid.ts';
import { describe, toParts, toResultParts, type Readers } from './parts.ts';

export type Reading = Readers & {
  /** Called for everything that the model does not see. */
  leaveOut: LeaveOut;
  /** The tools that run here. */
  hosted?: HostedTools | undefined;
};

type Place = Reading & { param: string; known: Set<string> };

/** Translates the messages of a request. */
export async function toTurns(messages: readonly TurnMessage[], reading: Reading): Promise<ChatMessage[]> {
  const turns: ChatMessage[] = [];
  const known = new Set<string>();
  const lastUser = messages.findLastIndex(({ role }) => role === 'user');
  for (const [index, message] of messages.entries()) {
    if (message.clear_at === 'next_user_message' && index < lastUser) continue;
    turns.push(...(await turnsOf(message, { ...reading, param: `messages[${index}]`, known })));
  }
  return turns;
}

async function turnsOf({ role, content }: TurnMessage, place: Place): Promise<ChatMessage[]> {
  if (role === 'system' && content === undefined) return [];
  const given = required(content, `${place.param}.content`);
  if (typeof given === 'string')
    return role === 'assistant' && given === '' ? [] : [{ role, content: given }];
  if (role === 'system') return toSystem(given, place);
  return role === 'assistant' ? toAssistantTurns(given, place) : toUserTurns(given, place);
}

/** Changes of the tools are handled by the tools' translation. */
function toSystem(blocks: readonly MessageBlock[], { param }: Place): ChatMessage[] {
  const texts = blocks.flatMap((block, index) => {
    const at = `${param}.content[${index}]`;
    if (block.type === 'tool_addition' || block.type === 'tool_removal') return [];
    if (block.type !== 'text') throw misplaced(block.type, 'system', at);
    return [required(block.text, `${at}.text`)];
  });
  return texts.length === 0 ? [] : [{ role: 'system', content: texts.join('\n') }];
}

type AssistantTurn = { text: string; reasoning: string; calls: ToolCall[] };
const emptyTurn = (): AssistantTurn => ({ text: '', reasoning: '', calls: [] });

/** Provider tools return their results within a message. It is split there, since our results are separate messages. */
async function toAssistantTurns(blocks: readonly MessageBlock[], place: Place): Promise<ChatMessage[]> {
  const turns: ChatMessage[] = [];
  let turn = emptyTurn();
  for (const [index, block] of blocks.entries()) {
    const at = `${place.param}.content[${index}]`;
    if (!PROVIDER_RESULTS.includes(block.type)) {
      addToTurn(turn, block, at, place);
      continue;
    }
    turns.push(...finished(turn));
    turn = emptyTurn();
    turns.push(await toProviderResult(block, at, place));
  }
  return [...turns, ...finished(turn)];
}

function addToTurn(turn: AssistantTurn, block: MessageBlock, at: string, place: Place): void {
  const { type, content } = block;
  if (type === 'text') turn.text += required(block.text, `${at}.text`);
  else if (type === 'thinking') turn.reasoning += required(block.thinking, `${at}.thinking`);
  else if (type === 'compaction') turn.text += typeof content === 'string' ? content : '';
  else if (type === 'tool_use' || PROVIDER_CALLS.includes(type)) {
    const id = required(block.id, `${at}.id`);
    place.known.add(id);
    const given = required(block.name, `${at}.name`);
    const { server_name: server } = block;
    const name = type === 'mcp_tool_use' && server !== undefined ? modelToolName(server, given) : given;
    turn.calls.push({ id, name, arguments: JSON.stringify(block.input ?? {}) });
  } else if (LEFT_OUT.includes(type)) place.leaveOut(`messages[].content[].${type}`, at);
  else throw misplaced(type, 'assistant', at);
}

/** Reasoning that only its provider can read, and its notes about its own work. */
const LEFT_OUT = ['redacted_thinking', 'fallback', 'mcp_tool_listing'];

function finished({ text, reasoning, calls }: AssistantTurn): ChatMessage[] {
  if (text === '' && reasoning === '' && calls.length === 0) return [];
  return [
    {
      role: 'assistant',
      content: text,
      ...(reasoning && { reasoning }),
      ...(calls.length > 0 && { toolCalls: calls }),
    },
  ];
}

async function toProviderResult(block: MessageBlock, at: string, place: Place): Promise<ChatMessage> {
  const id = knownId(block, at, place);
  const { content = '' } = block;
  if (block.type === 'mcp_tool_result') {
    const text = textsOf(await partsOf(content, at, place)).join('\n');
    return { role: 'tool', toolCallId: id, content: forModel(text, !block.is_error) };
  }
  const page = pageOf(content);
  if (!page) return { role: 'tool', toolCallId: id, content: describe(content) };
  const parts = (await toParts(page.document, `${at}.content.content`, place)) ?? [];
  return { role: 'tool', toolCallId: id, content: [page.url, ...textsOf(parts)].join('\n') };
}

/** A fetched page is a document. */
function pageOf(content: MessageBlock['content'] & {}): { url: string; document: MessageBlock } | undefined {
  if (typeof content !== 'object' || Array.isArray(content)) return undefined;
  const { type, url, content: document } = content as Record<string, unknown>;
  if (type !== 'web_fetch_result' || (document as MessageBlock | undefined)?.type !== 'document')
    return undefined;
  const { data } = ((document as MessageBlock).source ?? {}) as { data?: unknown };
  if (data !== undefined && typeof data !== 'string') return undefined;
  return { url: String(url), document: document as MessageBlock };
}

/** Results come before the user's content, each as a separate message. */
async function toUserTurns(blocks: readonly MessageBlock[], place: Place): Promise<ChatMessage[]> {
  const turns: ChatMessage[] = [];
  const parts: ContentPart[] = [];
  for (const [index, block] of blocks.entries()) {
    const at = `${place.param}.content[${index}]`;
    if (block.type === 'tool_result') {
      const { result, images } = await toResult(block, at, place);
      turns.push(result);
      parts.push(...images);
      continue;
    }
    if (block.type === 'container_upload') throw namesUpload(at);
    const shown = block.type === 'tool_reference' ? undefined : await toParts(block, at, place);
    if (!shown) throw misplaced(block.type, 'user', at);
    parts.push(...shown);
  }
  if (parts.length > 0) turns.push({ role: 'user', content: parts });
  return turns;
}

/** Chat templates show images only in user messages, so images of a result follow right after it. */
const IMAGE_BELOW = '[image: see below]';

async function toResult(
  block: MessageBlock,
  at: string,
  place: Place,
): Promise<{ result: ChatMessage; images: ContentPart[] }> {
  const id = knownId(block, at, place);
  const { content = '', is_error: isError } = block;
  const parts = await partsOf(content, at, place);
  const text = textsOf(parts).join('\n');
  return {
    result: { role: 'tool', toolCallId: id, content: isError ? `Error: ${text}` : text },
    images: parts.filter(({ type }) => type === 'image'),
  };
}

async function partsOf(
  content: MessageBlock['content'] & {},
  at: string,
  readers: Readers,
): Promise<ContentPart[]> {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  const parts: ContentPart[] = [];
  for (const [index, part] of ([content].flat() as ResultPart[]).entries())
    parts.push(...(await toResultParts(part, `${at}.content[${index}]`, readers)));
  return parts;
}

function textsOf(parts: readonly ContentPart[]): string[] {
  return parts.map((part) => (part.type === 'image' ? IMAGE_BELOW : part.text));
}

function knownId({ tool_use_id: given }: MessageBlock, at: string, { known }: Place): string {
  const id = required(given, `${at}.tool_use_id`);
  if (known.has(id)) return id;
  throw invalid(`${at}.tool_use_id`, `No earlier message has a tool_use with the id "${id}".`);
}

function namesUpload(at: string): Error {
  return cannotBeDone(
    `${at}.file_id`,
    'The Files API is not supported. Send the content of the file in a block of the type document or text.',
  );
}
