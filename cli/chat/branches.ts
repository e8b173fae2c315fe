import type { ChatMessage } from '../../src/api/chat/chat.ts';
import type { SavedMessage } from '../../src/api/management/chats.ts';

/** The messages from the first to this one. */
export function lineTo(messages: readonly SavedMessage[], last: string | null): SavedMessage[] {
  const byId = new Map(messages.map((message) => [message.id, message]));
  const line: SavedMessage[] = [];
  for (let at = byId.get(last ?? ''); at; at = byId.get(at.parent ?? '')) line.push(at);
  return line.reverse();
}

/** The part of a message that a model receives: not its reasoning, nor what only a person's screen needs. */
export function toChatMessage({ role, content, name, tool_calls, tool_call_id }: SavedMessage): ChatMessage {
  return {
    role,
    ...(content !== undefined && { content }),
    ...(name !== undefined && { name }),
    ...(tool_calls !== undefined && { tool_calls }),
    ...(tool_call_id !== undefined && { tool_call_id }),
  };
}

/** The messages with the same parent, in the order in which they were added. */
export function branchesOf(messages: readonly SavedMessage[], { parent }: SavedMessage): SavedMessage[] {
  return messages.filter((message) => message.parent === parent);
}

/** The last message of the branch through this one; if it branches again, of the latest branch. */
export function endOf(messages: readonly SavedMessage[], id: string): string {
  const children = new Map(messages.map((message) => [message.parent, message.id]));
  let end = id;
  for (let next = children.get(end); next !== undefined; next = children.get(end)) end = next;
  return end;
}
