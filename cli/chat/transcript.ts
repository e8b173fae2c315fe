import type { SavedMessage } from '../../src/api/management/chats.ts';
import type { Output, TerminalOutput } from '../output/output.ts';
import { readable } from './export-chat.ts';
import { createPrinter } from './printer.ts';

/** A conversation as it appeared on the screen: questions after `>>>`, then the answers. */
export function transcript(
  messages: readonly SavedMessage[],
  output: Output,
  stdout: TerminalOutput,
): string {
  let text = '';
  const show = createPrinter({ ...output, write: (part) => void (text += part) }, stdout);
  for (const message of messages) {
    show.push(message.role === 'user' ? `>>> ${readable(message)}` : readable(message));
    show.end();
  }
  return text.trimEnd();
}
