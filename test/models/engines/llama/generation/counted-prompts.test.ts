import { expect, test } from 'vitest';
import { planText } from '../../../../../models/engines/answer/answer-plan.ts';
import { createCountedPrompts } from '../../../../../models/engines/llama/generation/counted-prompts.ts';
import type { BuiltPrompt } from '../../../../../models/engines/llama/generation/prompt.ts';
import { messageText, type ChatPrompt } from '../../../../../src/runtime/engine.ts';

const asking = (content: string, more: Partial<ChatPrompt> = {}): ChatPrompt => ({
  messages: [{ role: 'user', content }],
  ...more,
});

/** Counts how often it builds: a token for each character. */
function open() {
  const builds: string[] = [];
  const prompts = createCountedPrompts((prompt) => {
    const text = prompt.messages.map(messageText).join('');
    builds.push(text);
    return { tokens: [...text].map((_, index) => index) as BuiltPrompt['tokens'], plan: planText(prompt) };
  });
  return { ...prompts, builds };
}

test('a prompt that was counted is not built again for its answer', () => {
  const { count, built, builds } = open();
  expect(count(asking('Hello'))).toBe(5);
  expect(built({ ...asking('Hello') }).tokens).toHaveLength(5);
  expect(builds).toEqual(['Hello']);
});

test.each<Partial<ChatPrompt>>([
  { continues: true },
  { templateArguments: { language: 'de' } },
  { tools: [{ name: 'look', parameters: {} }] },
  { toolChoice: 'none' },
  { parallelToolCalls: false },
  { format: { type: 'grammar', grammar: 'root ::= "a"' } },
  { reasoning: { effort: 'low' } },
  { raw: { text: 'Hello' } },
])('a prompt that differs by %j is another one', (difference) => {
  const { count, built, builds } = open();
  count(asking('Hello'));
  built(asking('Hello', difference));
  expect(builds).toHaveLength(2);
});

test('counting builds anew, since a template may show the time', () => {
  const { count, builds } = open();
  count(asking('Hello'));
  count(asking('Hello'));
  expect(builds).toHaveLength(2);
});

test('only the last prompts are kept', () => {
  const { count, built, builds } = open();
  for (let index = 0; index < 100; index++) count(asking(`Hello ${index}`));
  built(asking('Hello 99'));
  expect(builds).toHaveLength(100);
  built(asking('Hello 0'));
  expect(builds).toHaveLength(101);
});

test('a prompt that cannot be serialized is built each time', () => {
  let parameters: object = {};
  for (let depth = 0; depth < 10_000; depth++) parameters = { parameters };
  const { count, built, builds } = open();
  const deep = asking('Hello', { tools: [{ name: 'look', parameters }] as ChatPrompt['tools'] & object });
  count(deep);
  built(deep);
  expect(builds).toHaveLength(2);
});
