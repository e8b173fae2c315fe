import { expect, test } from 'vitest';
import { llama } from '../../../../models/engines/llama.ts';
import type { ChatMessage } from '../../../../src/runtime/engine.ts';
import { bundledTemplates } from '../../../../scripts/fixtures/llama-files.ts';
import { scriptedModel } from '../../../helpers/models/models.ts';
import { ask, user } from '../../chats.ts';
import { load } from '../../engine-contract.ts';

const template = bundledTemplates().get('Qwen-Qwen3-0.6B') ?? '';

async function continued(says: string, last: Extract<ChatMessage, { role: 'assistant' }>) {
  const { path } = await scriptedModel(says, { chatTemplate: template });
  await using session = await load(llama, path);
  const messages = [...user('Hello'), last];
  const { events, text } = await ask(session, { messages, continues: true, showPrompt: true });
  const prompt = events.find((event) => event.type === 'prompt')?.text ?? '';
  const thought = events.map((event) => (event.type === 'reasoning' ? event.text : '')).join('');
  return { prompt, text, thought };
}

test('an answer continues where it was cut', async () => {
  const { prompt, text } = await continued('morning.', { role: 'assistant', content: 'Good ' });
  expect([prompt.endsWith('</think>\n\nGood '), text]).toEqual([true, 'morning.']);
});

test('so does its reasoning', async () => {
  const last = { role: 'assistant' as const, content: '', reasoning: 'They greet' };
  const { prompt, text, thought } = await continued(' me.\n</think>\n\nHi.', last);
  expect(prompt.endsWith('<think>\nThey greet')).toBe(true);
  expect([thought, text]).toEqual([' me.', 'Hi.']);
});
