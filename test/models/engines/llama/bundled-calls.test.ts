import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { triggersOf } from '../../../../models/engines/answer/calls/call-trigger.ts';
import { createChatTemplate } from '../../../../models/engines/answer/template/chat-template.ts';
import { toTemplateInput } from '../../../../models/engines/answer/template/template-messages.ts';
import { llama } from '../../../../models/engines/llama.ts';
import { string } from '../../../../src/gguf/gguf.ts';
import type { ToolDefinition } from '../../../../src/runtime/engine.ts';
import { bundledTemplates } from '../../../../scripts/fixtures/llama-files.ts';
import { scriptedModel } from '../../../helpers/models/models.ts';
import { ask, user } from '../../chats.ts';
import { load } from '../../engine-contract.ts';
import { customModel } from './custom-model.ts';

const PARAMETERS = {
  type: 'object',
  properties: {
    kind: { enum: ['red', 'green'] },
    count: { type: 'integer', minimum: 2, maximum: 40 },
    isDry: { type: 'boolean' },
    places: { type: 'array', items: { enum: ['wall', 'door'] }, minItems: 1, maxItems: 2 },
    how: {
      type: 'object',
      properties: { tool: { enum: ['brush', 'roll'] } },
      required: ['tool'],
      additionalProperties: false,
    },
  },
  required: ['kind', 'count', 'isDry'],
  additionalProperties: false,
};
const PAINT: ToolDefinition = { name: 'paint', parameters: PARAMETERS };
const WASH: ToolDefinition = { name: 'wash', parameters: { type: 'object', properties: {} } };
const fits = new Ajv2020({ strict: false }).compile(PARAMETERS);

const templates = bundledTemplates();

describe('a required call is made, though the weights are random', () => {
  test.each([...templates])('%s', async (_, template) => {
    const file = await customModel(
      { 'tokenizer.chat_template': string(template) },
      { contextTokens: 16_384 },
    );
    await using session = await load(llama, file, { contextTokens: 16_384 });
    const sampling = { temperature: 1.5, topP: 1, presencePenalty: 0, frequencyPenalty: 0, seed: 7 };
    const { events, reason } = await ask(session, {
      messages: user('x'),
      tools: [PAINT, WASH],
      toolChoice: { name: 'paint' },
      reasoning: { effort: 'none' },
      sampling,
      maxTokens: 900,
    });
    const called = events.flatMap((event) => (event.type === 'toolCall' ? [event.name] : []));
    const written = events.map((event) => (event.type === 'toolArguments' ? event.text : '')).join('');
    const text = events.map((event) => (event.type === 'text' ? event.text : '')).join('');
    expect([called, text, reason]).toEqual([['paint'], '', 'tool_calls']);
    expect([fits(JSON.parse(written)), fits.errors]).toEqual([true, null]);
  });
});

describe('a call that a model begins on its own follows the format of its template', () => {
  const { kind, count, isDry, places } = PARAMETERS.properties;
  const properties = { kind, count, isDry, places };
  const parameters = { ...PARAMETERS, properties, required: Object.keys(properties) };
  const tools = [{ name: 'paint', parameters }, WASH];
  const args = { kind: 'red', count: 3, isDry: true, places: ['wall', 'door'] };
  const call = { id: 'call_0001', name: 'paint', arguments: JSON.stringify(args) };

  test.each([...templates])('%s', async (_, source) => {
    const template = createChatTemplate({ source, bosToken: '<s>', eosToken: '</s>' });
    const asked = { tools, parallelToolCalls: false, reasoning: { effort: 'none' as const } };
    const messages = [
      ...user('Paint.'),
      { role: 'assistant' as const, content: '', toolCalls: [call] },
      { role: 'tool' as const, toolCallId: call.id, content: 'done' },
    ];
    const text = template.render(toTemplateInput({ ...asked, messages }));
    const place = text.lastIndexOf('paint', text.lastIndexOf('wall'));
    const marks = template.calls.flatMap((format) => triggersOf(format, ['paint']));
    const says = text.slice(Math.max(...marks.map((mark) => text.lastIndexOf(mark.text, place))));
    await using session = await load(llama, (await scriptedModel(says, { chatTemplate: source })).path, {
      contextTokens: 16_384,
    });
    const { events, reason } = await ask(session, { ...asked, messages: user('Paint.'), maxTokens: 900 });
    const called = events.flatMap((event) => (event.type === 'toolCall' ? [event.name] : []));
    const written = events.map((event) => (event.type === 'toolArguments' ? event.text : '')).join('');
    expect([called, JSON.parse(written), reason]).toEqual([['paint'], args, 'tool_calls']);
  });
});
