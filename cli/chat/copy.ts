import type { ChatMessage } from '../../src/api/chat/chat.ts';
import { codeBlocks, type CodeBlock } from '../output/markdown/code-blocks.ts';
import { formatCount } from '../output/format.ts';
import { sanitise } from '../output/sanitise.ts';
import { contentText } from './export-chat.ts';

export type Copy = (text: string) => Promise<void>;

type Parts = { messages: readonly ChatMessage[]; copy: Copy };

/** `/copy` and `/copy 2`: the last answer, or one of its code blocks. Returns what to print. */
export async function copyAnswer({ messages, copy }: Parts, argument: string): Promise<string> {
  const text = lastAnswer(messages);
  if (text === '') return 'There is no answer to copy yet.';
  if (argument === '') {
    await copy(text);
    return 'Copied the answer.';
  }
  const blocks = codeBlocks(text);
  const block = /^\d+$/.test(argument) ? blocks[Number(argument) - 1] : undefined;
  if (block === undefined)
    return `The last answer has ${formatCount(blocks.length, 'code block')}. To copy the first: /copy 1`;
  await copy(block.code);
  return `Copied code block ${argument}, ${formatCount(block.code.split('\n').length, 'line')}.`;
}

export function answeredBlocks(messages: readonly ChatMessage[]): CodeBlock[] {
  return codeBlocks(lastAnswer(messages));
}

function lastAnswer(messages: readonly ChatMessage[]): string {
  const answer = messages.findLast(({ role, content }) => role === 'assistant' && content);
  return sanitise(contentText({ content: answer?.content ?? '' })).trimEnd();
}
