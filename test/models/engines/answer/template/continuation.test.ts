import { describe, expect, test } from 'vitest';
import { planAnswer } from '../../../../../models/engines/answer/answer-plan.ts';
import { createAnswerParser } from '../../../../../models/engines/answer/answer-parser.ts';
import { createChatTemplate } from '../../../../../models/engines/answer/template/chat-template.ts';
import { toTemplateInput } from '../../../../../models/engines/answer/template/template-messages.ts';
import type { ChatPrompt } from '../../../../../src/runtime/engine.ts';
import { bundledTemplates } from '../../../../../scripts/fixtures/llama-files.ts';

const templates = bundledTemplates();
const QUESTION = 'What is there to see?';

type Begun = { content?: string; reasoning?: string };

function open(name: string) {
  const source = templates.get(name);
  return createChatTemplate({ source, bosToken: '<s>', eosToken: '</s>' });
}

function continuing({ content = '', ...thought }: Begun): ChatPrompt {
  const last = { role: 'assistant' as const, content, ...thought };
  return { messages: [{ role: 'user', content: QUESTION }, last], continues: true };
}

function rendered(name: string, begun: Begun): string {
  const text = open(name).render(toTemplateInput(continuing(begun)));
  return text.slice(text.lastIndexOf(QUESTION) + QUESTION.length);
}

const BEGUN = 'Hello, ';
const THOUGHT = "I'm thinking";

describe('an answer that is continued', () => {
  test.each([...templates.keys()])('%s ends the prompt where it breaks off', (name) => {
    expect(rendered(name, { content: BEGUN }).endsWith(BEGUN)).toBe(true);
    const thoughtful = rendered(name, { content: BEGUN, reasoning: THOUGHT });
    expect(thoughtful.endsWith(BEGUN)).toBe(true);
    const { thinking } = open(name);
    if (!thinking) return;
    expect(thoughtful).toContain(THOUGHT);
    const within = rendered(name, { reasoning: THOUGHT });
    expect(
      within.endsWith(thinking.opening.trimEnd() + THOUGHT) || within.endsWith(thinking.opening + THOUGHT),
    ).toBe(true);
  });

  test.each([
    ['Qwen3.5-4B', "<|im_start|>assistant\n<think>\nI'm thinking\n</think>\n\nHello, "],
    [
      'openai-gpt-oss-120b',
      "<|start|>assistant<|channel|>analysis<|message|>I'm thinking<|end|><|start|>assistant<|channel|>final<|message|>Hello, ",
    ],
    ['mistralai-Ministral-3-14B-Reasoning-2512', "[/INST][THINK]I'm thinking[/THINK]Hello, "],
    ['Reka-Edge', "assistant: <think>\nI'm thinking\n</think>\n\nHello, "],
    ['MiniMax-M2', "]~b]ai\n<think>\nI'm thinking\n</think>\n\nHello, "],
    ['deepseek-ai-DeepSeek-V3.1', "<｜Assistant｜><think>I'm thinking</think>Hello, "],
    ['Kimi-K3', "<|open|>think<|sep|>I'm thinking<|close|>think<|sep|><|open|>response<|sep|>Hello, "],
    ['Mistral-Small-3.2-24B-Instruct-2506', '[/INST]Hello, '],
    ['meetkai-functionary-medium-v3.2', '>>>all\nHello, '],
  ])('%s renders its reasoning first', (name, end) => {
    expect(rendered(name, { content: BEGUN, reasoning: THOUGHT }).endsWith(end)).toBe(true);
  });

  test.each([
    ['Qwen3.5-4B', "assistant\n<think>\nI'm thinking"],
    ['Reka-Edge', "assistant: <think>\nI'm thinking"],
    ['LFM2.5-8B-A1B', "assistant\n<think>I'm thinking"],
    ['Qwen-QwQ-32B', "assistant\n<think>\nI'm thinking"],
    ['google-gemma-4-31B-it', "<|turn>model\n<|channel>thought\nI'm thinking"],
    ['tencent-Hy3', "<think:opensource>I'm thinking"],
  ])('%s continues reasoning', (name, end) => {
    expect(rendered(name, { reasoning: THOUGHT }).endsWith(end)).toBe(true);
  });
});

describe('the continuation is parsed', () => {
  function read(begun: Begun, text: string) {
    const template = open('Qwen3.5-4B');
    const prompt = continuing(begun);
    const plan = planAnswer(prompt, template.render(toTemplateInput(prompt)), template);
    expect(plan.suffix).toBe('');
    const reader = createAnswerParser({ ...plan, stop: [], onAnswer: () => {}, onCall: () => {} });
    const pieces = [...reader.push(text), ...reader.flush()];
    const textsOf = (type: string) =>
      pieces.map((piece) => (piece.type === type && 'text' in piece ? piece.text : '')).join('');
    return { thought: textsOf('reasoning'), said: textsOf('text') };
  }

  test('as content after content', () => {
    expect(read({ content: BEGUN }, 'world!')).toEqual({ thought: '', said: 'world!' });
  });

  test('as reasoning within reasoning', () => {
    expect(read({ reasoning: "I'm" }, ' thinking\n</think>\n\nHello!')).toEqual({
      thought: ' thinking',
      said: 'Hello!',
    });
  });
});
