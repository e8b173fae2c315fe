import type { ChatMessage } from '../../src/api/chat/chat.ts';
import type { Output, TerminalOutput } from '../output/output.ts';
import { createPrinter } from './printer.ts';
import type { SavedChat } from './saved-chats.ts';

/** A conversation as it appeared on the screen: questions after `>>>`, then the answers. */
export function transcript(chat: SavedChat, output: Output, stdout: TerminalOutput): string {
  let text = '';
  const show = createPrinter({ ...output, write: (part) => void (text += part) }, stdout);
  for (const message of chat.messages) {
    show.push(message.role === 'user' ? `>>> ${textOf(message)}` : textOf(message));
    show.end();
  }
  return text.trimEnd();
}

function textOf({ content = '' }: ChatMessage): string {
  if (typeof content === 'string') return content;
  return content.map((part) => (part.type === 'text' ? part.text : '[image]')).join(' ');
}
