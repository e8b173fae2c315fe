import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { llama } from '../../../../models/engines/llama.ts';
import { string } from '../../../../scripts/fixtures/gguf.ts';
import type { ToolDefinition } from '../../../../src/runtime/engine.ts';
import { bundledTemplates } from '../../../helpers/bundled-templates.ts';
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

describe('a call that is demanded is one, whatever a model of random weights would rather say', () => {
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
