import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { llama } from '../../../../models/engines/llama.ts';
import { string } from '../../../../src/gguf/gguf.ts';
import type { ChatRequest, Session, ToolDefinition } from '../../../../src/runtime/engine.ts';
import { scriptedModel } from '../../../helpers/models/models.ts';
import { TOOL_TEMPLATES } from '../../../helpers/models/tool-models.ts';
import { ask, user } from '../../chats.ts';
import { load } from '../../engine-contract.ts';
import { customModel } from './custom-model.ts';

const WRITE: ToolDefinition = {
  name: 'write_file',
  parameters: {
    type: 'object',
    properties: {
      path: { type: 'string' },
      content: { type: 'string' },
      mode: { enum: ['create', 'append'] },
      lines: { type: 'integer' },
      force: { type: 'boolean' },
      owner: { type: ['string', 'null'] },
      tags: { type: 'array', items: { type: 'string' } },
      code: { type: 'string', pattern: '^[A-Z]{3}$' },
      extra: {},
    },
    required: ['path'],
  },
};
const NOW: ToolDefinition = { name: 'now', parameters: { type: 'object', properties: {} } };

const call = (name: string, parameters: Record<string, string> = {}) =>
  `<tool_call>\n<function=${name}>\n${Object.entries(parameters)
    .map(([key, value]) => `<parameter=${key}>\n${value}\n</parameter>\n`)
    .join('')}</function>\n</tool_call>`;

async function open(says: string, template: string = TOOL_TEMPLATES.tagged): Promise<Session> {
  return load(llama, (await scriptedModel(says, { chatTemplate: template })).path);
}

async function called(session: Session, request: Partial<ChatRequest> = {}) {
  const { events, reason } = await ask(session, { tools: [WRITE, NOW], maxTokens: 600, ...request });
  const calls: { name: string; pieces: string[] }[] = [];
  for (const event of events) {
    if (event.type === 'toolCall') calls.push({ name: event.name, pieces: [] });
    if (event.type === 'toolArguments') calls[event.index]?.pieces.push(event.text);
  }
  return {
    calls: calls.map(({ name, pieces }) => [name, JSON.parse(pieces.join('')) as unknown]),
    pieces: calls.map(({ pieces }) => pieces),
    text: events
      .map((event) => (event.type === 'text' ? event.text : ''))
      .join('')
      .trim(),
    reason,
  };
}

describe('a call whose arguments are between tags', () => {
  test('keeps a text as it is, with its lines, quotes and tags', async () => {
    const content = 'def f():\n\t"""Say <b>\\n</b>."""\n\n</param>\n';
    await using session = await open(call('write_file', { path: 'a.py', content }));
    const { calls, pieces, text, reason } = await called(session);
    expect(calls).toEqual([['write_file', { path: 'a.py', content }]]);
    expect(pieces[0]?.length).toBeGreaterThan(10);
    expect([text, reason]).toEqual(['', 'tool_calls']);
  });

  test('gives every value the type of its schema', async () => {
    const says = call('write_file', {
      path: '12',
      mode: 'append',
      lines: '3',
      force: 'true',
      owner: 'null',
      tags: '["a", "b </parameter>"]',
      code: 'ABC',
      extra: '{"a": [1, null]}',
    });
    await using session = await open(says);
    expect((await called(session)).calls).toEqual([
      [
        'write_file',
        {
          path: '12',
          mode: 'append',
          lines: 3,
          force: true,
          owner: null,
          tags: ['a', 'b </parameter>'],
          code: 'ABC',
          extra: { a: [1, null] },
        },
      ],
    ]);
  });

  test('treats what is not JSON as a text if any type is allowed', async () => {
    await using session = await open(call('write_file', { path: 'p', owner: 'me', extra: 'no {json' }));
    expect((await called(session)).calls).toEqual([
      ['write_file', { path: 'p', owner: 'me', extra: 'no {json' }],
    ]);
  });

  test('may be one of several, with or without arguments, after words', async () => {
    const says = `Well.\n${call('now')}\n${call('write_file', { path: 'x' })}\n${call('now')}`;
    await using session = await open(says);
    const { calls, text, reason } = await called(session);
    expect(calls).toEqual([
      ['now', {}],
      ['write_file', { path: 'x' }],
      ['now', {}],
    ]);
    expect([text, reason]).toEqual(['Well.', 'tool_calls']);
    expect((await called(session, { parallelToolCalls: false })).calls).toEqual([['now', {}]]);
  });

  test('is recognised even if its outer tag was forgotten', async () => {
    await using session = await open(`Now.\n${call('now').slice('<tool_call>\n'.length)}`);
    const { calls, text } = await called(session);
    expect([calls, text]).toEqual([[['now', {}]], 'Now.']);
  });

  test('is not recognised if the tags only look similar', async () => {
    await using session = await open('Use <tool_call> and <function=nothing> for that.');
    expect(await called(session)).toMatchObject({
      calls: [],
      text: 'Use <tool_call> and <function=nothing> for that.',
      reason: 'stop',
    });
  });

  test('is read if names and values each have a tag', async () => {
    const says =
      '<tool_call>write_file\n<arg_key>path</arg_key>\n<arg_value>a\nb</arg_value>\n' +
      '<arg_key>tags</arg_key>\n<arg_value>["</arg_value>"]</arg_value>\n</tool_call>\n<tool_call>now\n</tool_call>';
    await using session = await open(says, TOOL_TEMPLATES.paired);
    expect((await called(session)).calls).toEqual([
      ['write_file', { path: 'a\nb', tags: ['</arg_value>'] }],
      ['now', {}],
    ]);
  });

  test('that is required fits its schema, even from a model with random weights', async () => {
    const file = await customModel({ 'tokenizer.chat_template': string(TOOL_TEMPLATES.tagged) });
    await using session = await load(llama, file, { contextTokens: 4096 });
    const parameters = {
      type: 'object',
      properties: {
        kind: { enum: ['red', 'green'] },
        count: { type: 'integer', minimum: 2, maximum: 40 },
        day: { type: 'string', format: 'date' },
        note: { type: 'string', maxLength: 5 },
        words: { type: 'string', pattern: '^[a-z]+( [a-z]+)*$', minLength: 3, maxLength: 12 },
        long: { type: 'string', pattern: '^[ab]*$', maxLength: 300 },
        either: { anyOf: [{ type: 'boolean' }, { type: 'string', pattern: '^[a-c]{2}$' }] },
        maybe: { $ref: '#/$defs/maybe' },
      },
      required: ['kind', 'count', 'day', 'note', 'words', 'long', 'either', 'maybe'],
      additionalProperties: false,
      $defs: { maybe: { enum: ['x', null] } },
    };
    const fits = new Ajv2020({ strict: false, validateFormats: false }).compile(parameters);
    const tools = [{ name: 'paint', parameters, isStrict: true }];
    for (const seed of [1, 2, 3, 4, 5, 6]) {
      const sampling = { temperature: 1.5, topP: 1, presencePenalty: 0, frequencyPenalty: 0, seed };
      const request = { messages: user('x'), tools, sampling, maxTokens: 900, parallelToolCalls: false };
      const { calls } = await called(session, { ...request, toolChoice: 'required' });
      expect(calls).toHaveLength(1);
      expect([fits(calls[0]?.[1]), fits.errors]).toEqual([true, null]);
    }
  });

  test('is refused before the first token if a strict schema cannot be enforced', async () => {
    await using session = await open(call('now'));
    const tools = [
      { name: 'f', isStrict: true, parameters: { type: 'object', properties: { a: { not: {} } } } },
    ];
    await expect(called(session, { tools })).rejects.toMatchObject({
      code: 'unsupported_schema',
      param: 'tools[0].function.parameters',
    });
  });
});
