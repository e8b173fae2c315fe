import type { ChatPart } from '../../src/api/chat/chat.ts';
import type { SavedChat, SavedMessage } from '../../src/api/management/chats.ts';
import { lineTo } from './branches.ts';
import { imageLabel } from './image-label.ts';

/** A conversation as a document. */
export function exportChat(chat: SavedChat, format: 'markdown' | 'json'): string {
  return format === 'json' ? `${JSON.stringify(chat, null, 2)}\n` : toMarkdown(chat);
}

function toMarkdown({ title, model, system, created_at, messages, current }: SavedChat): string {
  const parts = [`# ${title}`, `${model}, ${created_at}`];
  if (system !== null) parts.push('## System', system);
  for (const message of lineTo(messages, current)) {
    const text = readable(message);
    if (text !== '') parts.push(`## ${heading(message, model)}`, text);
  }
  return `${parts.join('\n\n')}\n`;
}

function heading({ role, model }: SavedMessage, usual: string): string {
  if (role === 'user') return 'You';
  return role === 'assistant' ? (model ?? usual) : role === 'tool' ? 'Tool' : 'System';
}

/** The text of a message; pictures and files are named. */
export function readable({ content, tool_calls: calls = [] }: SavedMessage): string {
  const text = contentText({ content });
  const called = calls.map(
    ({ function: called }) => `[calls ${called?.name ?? ''}: ${called?.arguments ?? ''}]`,
  );
  return [text, ...called].filter((each) => each !== '').join('\n\n');
}

/** Without the calls. */
export function contentText({ content = '' }: Pick<SavedMessage, 'content'>): string {
  return typeof content === 'string' ? content : content.map(partText).join('\n\n');
}

function partText({ text, image_url: image, file }: ChatPart): string {
  if (text !== undefined) return text;
  if (image !== undefined) return imageLabel(typeof image === 'string' ? image : image.url);
  return `[file ${file?.filename ?? ''}]`;
}
