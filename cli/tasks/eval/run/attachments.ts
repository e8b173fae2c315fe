import { readFileSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import type { ChatMessage, ChatPart } from '../../../../src/api/chat/chat.ts';
import { Failure } from '../../../../src/base/errors.ts';
import type { EvalCase } from '../file/eval-file.ts';
import { withImages } from '../../../chat/images.ts';

/** The messages of a case, with its images and documents in the user's last message. */
export function messagesOf({ messages, images, files }: EvalCase, evalFile: string): ChatMessage[] {
  if (images.length === 0 && files.length === 0) return [...messages];
  const at = (path: string) => resolve(dirname(evalFile), path);
  const last = messages.findLastIndex(({ role }) => role === 'user');
  return messages.map((message, index) => {
    if (index !== last) return message;
    const text = typeof message.content === 'string' ? message.content : '';
    const own = Array.isArray(message.content) ? message.content : [{ type: 'text' as const, text }];
    const seen = withImages('', images.map(at));
    const pictures = Array.isArray(seen) ? seen.filter(({ type }) => type === 'image_url') : [];
    return { ...message, content: [...own, ...pictures, ...files.map((path) => documentPart(at(path)))] };
  });
}

function documentPart(path: string): ChatPart {
  const type = path.toLowerCase().endsWith('.pdf') ? 'application/pdf' : 'text/plain';
  const data = `data:${type};base64,${read(path).toString('base64')}`;
  return { type: 'file', file: { filename: basename(path), file_data: data } };
}

function read(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (cause) {
    throw new Failure('not_found', `The file ${path} cannot be read.`, {
      cause,
      details: { fix: `ls -l ${path}` },
    });
  }
}
