import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { triggersOf } from '../../../../models/engines/answer/calls/call-trigger.ts';
import { createChatTemplate } from '../../../../models/engines/answer/template/chat-template.ts';
import { toTemplateInput } from '../../../../models/engines/answer/template/template-messages.ts';
import type { ChatMessage, ChatPrompt, ToolDefinition } from '../../../../src/runtime/engine.ts';
import { bundledTemplates } from '../../../../scripts/fixtures/llama-files.ts';
import { createReading, openTemplate, TEMPLATE_NAMES } from './reading.ts';

const DOCUMENT = new URL('../../../../docs/templates.md', import.meta.url);

/** As clients send them: with every field that an argument can have, with almost none, and without arguments. */
const TOOLS: ToolDefinition[] = [
  {
    name: 'look_up',
    description: 'Looks something up.',
    parameters: {
      type: 'object',
      properties: {
        words: { type: 'string', description: 'What to look for.', enum: ['weather', 'news'] },
        days: { type: ['integer', 'null'], minimum: 1, default: 3 },
        places: { type: 'array', items: { type: 'object', properties: { name: { type: 'string' } } } },
        either: { anyOf: [{ type: 'string' }, { type: 'number' }] },
        any: {},
      },
      required: ['words'],
      additionalProperties: false,
    },
  },
  { name: 'ping', parameters: { type: 'object', properties: {} } },
  { name: 'bare', parameters: {} },
];

const CALLS = [
  { id: 'call_0001', name: 'look_up', arguments: '{"words": "weather", "days": 2}' },
  { id: 'call_0002', name: 'ping', arguments: '{}' },
];
const RESULTS: ChatMessage[] = [
  { role: 'tool', toolCallId: 'call_0001', content: 'It will be sunny.' },
  { role: 'tool', toolCallId: 'call_0002', content: '{"pong": true}' },
];

function conversation(calls = CALLS, results = RESULTS): ChatMessage[] {
  return [
    { role: 'system', content: 'Be kind to strangers.' },
    { role: 'user', content: 'How will the weather be?' },
    { role: 'assistant', content: '', reasoning: 'I should look that up.', toolCalls: calls },
    ...results,
    { role: 'assistant', content: 'Sunny, they say.' },
    { role: 'user', content: 'And tomorrow?' },
  ];
}

/** Text, reasoning and a call in one message; the turn continues with the result. */
const AGENT: ChatPrompt = {
  tools: TOOLS,
  messages: [
    { role: 'system', content: 'You are an agent.' },
    { role: 'user', content: 'Thanks.' },
    { role: 'assistant', content: 'Let me look.', reasoning: 'I think.', toolCalls: CALLS.slice(0, 1) },
    ...RESULTS.slice(0, 1),
  ],
};

/** Some templates want one call at a time, and say so. */
function rendered(name: string): { text: string; isParallel: boolean } {
  const template = openTemplate(name);
  const render = (messages: ChatMessage[]) => template.render(toTemplateInput({ messages, tools: TOOLS }));
  try {
    return { text: render(conversation()), isParallel: true };
  } catch {
    return { text: render(conversation(CALLS.slice(0, 1), RESULTS.slice(0, 1))), isParallel: false };
  }
}

describe('every template of llama.cpp', () => {
  test('is there', () => {
    expect(TEMPLATE_NAMES.length).toBe(70);
  });

  test.each(TEMPLATE_NAMES)('%s renders a whole conversation with tools', (name) => {
    const { text, isParallel } = rendered(name);
    const contents = [
      'Be kind to strangers.',
      'How will the weather be?',
      'Sunny, they say.',
      'And tomorrow?',
    ];
    const tools = ['look_up', 'Looks something up.', 'ping', 'words'];
    const calls = ['weather', 'It will be sunny.', ...(isParallel ? ['pong'] : [])];
    for (const part of [...contents, ...tools, ...calls]) expect(text).toContain(part);
    expect(text).not.toMatch(/\[object|undefined/);
    expect(text.indexOf('It will be sunny.')).toBeLessThan(text.indexOf('Sunny, they say.'));
  });

  test.each(TEMPLATE_NAMES)('%s accepts what agents send', (name) => {
    const { messages, tools } = AGENT;
    const text = openTemplate(name).render(toTemplateInput({ messages, tools }));
    for (const part of ['Let me look.', 'It will be sunny.', 'Thanks.']) expect(text).toContain(part);
  });

  test.each(TEMPLATE_NAMES)("%s's own format is parsed", (name) => {
    const template = openTemplate(name);
    const asked: ChatPrompt = { messages: [{ role: 'user', content: 'Look.' }], tools: TOOLS };
    const calling = { role: 'assistant' as const, content: '', toolCalls: CALLS.slice(0, 1) };
    const messages = [...asked.messages, calling, ...RESULTS.slice(0, 1)];
    const text = template.render(toTemplateInput({ ...asked, messages }));
    const { plan, read } = createReading(template, asked);
    const place = text.lastIndexOf('look_up', text.lastIndexOf('weather'));
    const marks = template.calls.flatMap((format) => triggersOf(format, ['look_up']));
    const start = Math.max(...marks.map((mark) => text.lastIndexOf(mark.text, place)));
    expect(start).not.toBe(-1);
    const thought = plan.thinking?.startsInside ? `Hm.${plan.thinking.end}` : '';
    const { calls } = read([...(thought + text.slice(start))]);
    expect(calls[0]).toEqual(['look_up', { words: 'weather', days: 2 }]);
  });
});

test('docs/templates.md is right about each', () => {
  const rows = readFileSync(DOCUMENT, 'utf8')
    .match(/^\| .*$/gm)
    ?.slice(2);
  expect(rows?.map(withSingleBlanks)).toEqual(TEMPLATE_NAMES.map(rowOf).map(withSingleBlanks));
});

function withSingleBlanks(row: string): string {
  return row.replaceAll(/ +/g, ' ');
}

function rowOf(name: string): string {
  const { calls, tools, thinking } = openTemplate(name);
  const [{ before, trigger }] = calls;
  const mark = (trigger ?? before)
    .trim()
    .replaceAll('\n', '↵')
    .replaceAll(/[\uE002\uE005]/g, '…');
  const written =
    tools === 'generic' ? 'general' : `own: \`${mark === '' ? 'name↵' : mark.replaceAll('|', '\\|')}\``;
  const thoughts = thinking ? `\`${thinking.begin.trim().replaceAll('|', '\\|')}\`` : '–';
  return `| ${name} | ${written} | ${thoughts} |`;
}

test('a broken template is still refused', () => {
  const [source = ''] = bundledTemplates().values();
  const broken = `${source}{% endfor %}`;
  expect(() => createChatTemplate({ source: broken, bosToken: '', eosToken: '' })).toThrow(/not valid/);
});
