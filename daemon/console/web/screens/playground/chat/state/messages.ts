import type { ChatMessage, ChatPart } from '../../../../../../../src/api/chat/chat.ts';
import { chosenOf, type AnswerTurn, type Attachment, type Call, type Turn } from './turn.ts';

/** The conversation as a request carries it. An answer without any text or call is left out. */
export function toMessages(turns: readonly Turn[]): ChatMessage[] {
  return turns.flatMap((turn): ChatMessage[] => {
    if (turn.kind === 'user') return [{ role: 'user', content: contentOf(turn.text, turn.attachments) }];
    if (turn.kind === 'answer') return toAssistant(turn);
    return turn.results.map(({ id, content }) => ({ role: 'tool', tool_call_id: id, content }));
  });
}

export function withSystem(system: string, messages: readonly ChatMessage[]): ChatMessage[] {
  return [...(system.trim() === '' ? [] : [{ role: 'system' as const, content: system }]), ...messages];
}

function contentOf(text: string, attachments: readonly Attachment[]): string | ChatPart[] {
  if (attachments.length === 0) return text;
  const files = attachments.map(({ kind, name, url }): ChatPart =>
    kind === 'image'
      ? { type: 'image_url', image_url: { url } }
      : { type: 'file', file: { filename: name, file_data: url } },
  );
  return [...files, ...(text === '' ? [] : [{ type: 'text' as const, text }])];
}

function toAssistant(answer: AnswerTurn): ChatMessage[] {
  const { content, reasoning, calls } = chosenOf(answer);
  if (content === '' && calls.length === 0) return [];
  return [
    {
      role: 'assistant',
      ...(content !== '' && { content }),
      // Models that reason between calls continue from there; elsewhere it only fills the context.
      ...(calls.length > 0 && reasoning !== '' && { reasoning_content: reasoning }),
      ...(calls.length > 0 && { tool_calls: calls.map(toCall) }),
    },
  ];
}

function toCall({ id, name, text, isCustom }: Call) {
  return isCustom
    ? { id, type: 'custom' as const, custom: { name, input: text } }
    : { id, type: 'function' as const, function: { name, arguments: text } };
}
