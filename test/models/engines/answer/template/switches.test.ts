import { describe, expect, test } from 'vitest';
import { toTemplateInput } from '../../../../../models/engines/answer/template/template-messages.ts';
import { REASONING_EFFORTS, type Reasoning } from '../../../../../src/runtime/engine.ts';
import { openTemplate, TEMPLATE_NAMES } from '../reading.ts';

function prompt(name: string, effort: Reasoning['effort']): string {
  const messages = [{ role: 'user' as const, content: 'Hello' }];
  return openTemplate(name).render(toTemplateInput({ messages, reasoning: { effort } }));
}

describe('reasoning effort is given in words that the template knows', () => {
  test.each(TEMPLATE_NAMES)('%s', (name) => {
    for (const effort of REASONING_EFFORTS) expect(prompt(name, effort)).toContain('Hello');
  });

  test.each([
    ['openai-gpt-oss-120b', 'low', 'Reasoning: low'],
    ['openai-gpt-oss-120b', 'xhigh', 'Reasoning: high'],
    ['tencent-Hy3', 'none', 'reasoning_effort:no_think'],
    ['tencent-Hy3', 'medium', 'reasoning_effort:high'],
    ['deepseek-ai-DeepSeek-V4', 'xhigh', 'Absolute maximum'],
    ['Kimi-K3', 'xhigh', 'thinking_effort=max'],
    ['MiniMax-M3', 'none', 'Current thinking mode: disabled'],
    ['ByteDance-Seed-OSS', 'none', 'your thinking budget is 0'],
  ] as const)('%s is given %s', (name, effort, words) => {
    expect(prompt(name, effort)).toContain(words);
  });
});
