import { expect, test } from 'vitest';
import { createChatTemplates } from '../../../../../models/engines/answer/template/chat-templates.ts';
import { toTemplateInput } from '../../../../../models/engines/answer/template/template-messages.ts';
import type { ChatPrompt } from '../../../../../src/runtime/engine.ts';

const EACH = '{% for m in messages %}{{ m.content }}{% endfor %}';
const tokenizer = { chat_template: `usual ${EACH}`, 'chat_template.tool_use': `other ${EACH}` };
const messages = [{ role: 'user' as const, content: 'Hello' }];
const tools = [{ name: 'look_up', parameters: { type: 'object' } }];

function rendered(sources: Record<string, unknown>, prompt: ChatPrompt): string {
  const templates = createChatTemplates({ tokenizer: sources, bosToken: '', eosToken: '' });
  return templates.forPrompt(prompt).render(toTemplateInput(prompt));
}

test('a chat with tools uses its own template if the file has one', () => {
  expect(rendered(tokenizer, { messages })).toBe('usual Hello');
  expect(rendered(tokenizer, { messages, tools })).toMatch(/^other /);
  expect(rendered(tokenizer, { messages, tools, toolChoice: 'none' })).toBe('usual Hello');
});

test('and the only one if there is no other', () => {
  const only = { 'chat_template.tool_use': tokenizer['chat_template.tool_use'] };
  expect(rendered(only, { messages })).toBe('other Hello');
});
