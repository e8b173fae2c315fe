import { expect, test } from 'vitest';
import { createReading, openTemplate } from './reading.ts';

const LENGTH = 150_000;
const WRITE = {
  name: 'write',
  parameters: { type: 'object', properties: { text: { type: 'string' }, other: {} } },
};

/** One character at a time: a parser that rescans its text would take quadratic time here. */
function read(template: string, says: string) {
  const messages = [{ role: 'user' as const, content: 'Write.' }];
  return createReading(openTemplate(template), { messages, tools: [WRITE] }).read([...says]);
}

const text = 'A long line. < '.repeat(LENGTH / 15);

test.each([
  ['Qwen-Qwen3-0.6B', `<think>${text}</think>${text}`],
  [
    'openai-gpt-oss-120b',
    `<|channel|>analysis<|message|>${text}<|end|><|start|>assistant<|channel|>final<|message|>${text}`,
  ],
  ['google-gemma-4-31B-it', `<|channel>thought\n${text}<channel|>${text}`],
])('long reasoning and a long answer of %s are parsed as they stream', (template, says) => {
  expect(read(template, says)).toEqual({ thought: text.trim(), content: text.trim(), calls: [] });
});

test.each([
  ['Qwen-Qwen3-0.6B', `<tool_call>\n{"name": "write", "arguments": {"text": "${text}"}}\n</tool_call>`],
  [
    'Qwen3-Coder',
    `<tool_call>\n<function=write>\n<parameter=text>\n${text}\n</parameter>\n</function>\n</tool_call>`,
  ],
  ['google-gemma-4-31B-it', `<|tool_call>call:write{text:<|"|>${text}<|"|>}<tool_call|>`],
  ['LFM2-8B-A1B', `<|tool_call_start|>[write(text="${text}")]<|tool_call_end|>`],
  [
    'MiniMax-M3',
    `]<]minimax[>[<tool_call>\n]<]minimax[>[<invoke name="write">]<]minimax[>[<text>${text}]<]minimax[>[</text>]<]minimax[>[</invoke>\n]<]minimax[>[</tool_call>`,
  ],
])('a long argument of %s is read as it arrives', (template, says) => {
  expect(read(template, says).calls).toEqual([['write', { text }]]);
});

test.each([
  [
    'Qwen3-Coder',
    `<tool_call>\n<function=write>\n<parameter=other>\n${text}\n</parameter>\n</function>\n</tool_call>`,
  ],
  [
    'MiniMax-M3',
    `]<]minimax[>[<tool_call>\n]<]minimax[>[<invoke name="write">]<]minimax[>[<other>${text}]<]minimax[>[</other>]<]minimax[>[</invoke>\n]<]minimax[>[</tool_call>`,
  ],
])('so is one of %s with an unknown schema', (template, says) => {
  expect(read(template, says).calls).toEqual([['write', { other: text }]]);
});
