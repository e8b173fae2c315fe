import fc from 'fast-check';
import { expect, test } from 'vitest';
import { copyAnswer } from '../../../cli/chat/copy.ts';
import type { ChatMessage } from '../../../src/api/chat/chat.ts';

async function copied(messages: ChatMessage[], argument: string): Promise<string | undefined> {
  let text: string | undefined;
  await copyAnswer({ messages, copy: async (given) => void (text = given) }, argument);
  return text;
}

const question: ChatMessage = { role: 'user', content: 'And?' };

test('copying an answer that calls a tool copies the text before or after the call', async () => {
  const call: ChatMessage = { role: 'assistant', content: '', tool_calls: [] };
  const result: ChatMessage = { role: 'tool', content: 'a file', tool_call_id: 'call_1' };
  const before: ChatMessage = { role: 'assistant', content: 'Before.' };
  expect(await copied([question, before, question, call, result], '')).toBe('Before.');
  expect(await copied([question, call, result], '')).toBeUndefined();
});

test('control sequences of an answer do not reach the clipboard', async () => {
  expect(await copied([{ role: 'assistant', content: 'rm\u001b[2J -r\u0007\n' }], '')).toBe('rm -r');
});

test('block n of any answer is what was written between its fences', async () => {
  const line = fc.stringMatching(/^[a-z ]{0,12}$/);
  const block = fc.array(line, { minLength: 1, maxLength: 4 }).map((lines) => lines.join('\n'));
  await fc.assert(
    fc.asyncProperty(fc.array(block, { minLength: 1, maxLength: 5 }), fc.nat(6), async (blocks, index) => {
      const content = blocks.map((code) => `Some text\n\`\`\`js\n${code}\n\`\`\``).join('\n');
      expect(await copied([{ role: 'assistant', content }], String(index + 1))).toBe(blocks[index]);
    }),
  );
});
