import type { ChatMessage, ChatPart } from '../../../src/api/chat/chat.ts';
import { required } from '../../http/required.ts';

type ReadDocument = (url: string, param: string) => Promise<string>;

/** Replaces each file in the messages with its text, under its name. */
export async function withFilesRead(
  messages: readonly ChatMessage[],
  read: ReadDocument,
): Promise<ChatMessage[]> {
  const done: ChatMessage[] = [];
  for (const [index, message] of messages.entries()) {
    const { content } = message;
    const hasFiles = typeof content === 'object' && content.some(({ type }) => type === 'file');
    if (!hasFiles) done.push(message);
    else {
      const parts = content.map((part, place) => {
        const at = `messages[${index}].content[${place}]`;
        return part.type === 'file' ? toText(part, at, read) : Promise.resolve(part);
      });
      done.push({ ...message, content: await Promise.all(parts) });
    }
  }
  return done;
}

async function toText({ file }: ChatPart, at: string, read: ReadDocument): Promise<ChatPart> {
  const { filename = 'file', file_data: data } = required(file, `${at}.file`);
  const param = `${at}.file.file_data`;
  const url = required(data, param);
  const text = await read(url.startsWith('data:') ? url : `data:text/plain;base64,${url}`, param);
  return { type: 'text', text: `${filename}:\n${text}` };
}
