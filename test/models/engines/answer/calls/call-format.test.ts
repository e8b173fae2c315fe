import { describe, expect, test } from 'vitest';
import { triggersOf } from '../../../../../models/engines/answer/calls/call-trigger.ts';
import { GENERIC_CALLS } from '../../../../../models/engines/answer/calls/call-format.ts';
import { ID_MARK } from '../../../../../models/engines/answer/calls/call-text.ts';
import { createChatTemplate } from '../../../../../models/engines/answer/template/chat-template.ts';
import { TOOL_TEMPLATES } from '../../../../helpers/models/tool-models.ts';

const compile = (source: string) => createChatTemplate({ source, bosToken: '', eosToken: '<|im_end|>' });
const PLAIN = '{% for m in messages %}{{ m.role }}: {{ m.content }}\n{% endfor %}';

describe('the format of tool calls is derived from a template', () => {
  test.each([
    [
      'hermes',
      {
        before: '<tool_call>\n{"name": "',
        middle: '", "arguments": ',
        between: '}\n</tool_call>\n<tool_call>\n{"name": "',
        after: '}\n</tool_call>',
      },
      { text: '<tool_call>', isAtStart: false },
    ],
    [
      'json',
      { before: '{"name": "', middle: '", "parameters": ', between: undefined, after: '}' },
      { text: '{"name": "', isAtStart: true },
    ],
    [
      'list',
      {
        before: '[TOOL_CALLS] [{"name": "',
        middle: '", "arguments": ',
        between: `, "id": "${ID_MARK}"}, {"name": "`,
        after: `, "id": "${ID_MARK}"}]`,
      },
      { text: '[TOOL_CALLS]', isAtStart: false },
    ],
    [
      'bare',
      { before: '[TOOL_CALLS]', middle: '', between: '[TOOL_CALLS]', after: '' },
      { text: '[TOOL_CALLS]', isAtStart: false },
    ],
  ] as const)('%s', (name, format, trigger) => {
    const { calls, tools } = compile(TOOL_TEMPLATES[name]);
    expect(calls).toEqual([format]);
    expect(triggersOf(calls[0], ['now'])).toMatchObject([trigger]);
    expect(tools).toBe('template');
  });

  test('with each argument between tags', () => {
    const { calls, tools } = compile(TOOL_TEMPLATES.tagged);
    expect(tools).toBe('template');
    expect(calls).toEqual([
      {
        before: '<tool_call>\n<function=',
        middle: '>\n',
        between: '</function>\n</tool_call>\n<tool_call>\n<function=',
        after: '</function>\n</tool_call>',
        endsThought: true,
        parameters: {
          first: '<parameter=',
          none: '',
          middle: '>\n',
          end: '\n</parameter>',
          next: '\n<parameter=',
          last: '\n',
        },
      },
    ]);
    expect(triggersOf(calls[0], ['now']).map(({ text }) => text)).toEqual(['<tool_call>', '<function=now>']);
  });

  test('with a tag for each name and value', () => {
    const { calls } = compile(TOOL_TEMPLATES.paired);
    expect(calls).toMatchObject([
      {
        before: '<tool_call>',
        middle: '\n',
        between: '</tool_call>\n<tool_call>',
        after: '</tool_call>',
        parameters: {
          first: '<arg_key>',
          none: '',
          middle: '</arg_key>\n<arg_value>',
          end: '</arg_value>',
          next: '\n<arg_key>',
          last: '\n',
        },
      },
    ]);
    expect(triggersOf(calls[0], ['now']).map(({ text }) => text)).toEqual(['<tool_call>']);
  });

  test('is a general one if the template knows no tools', () => {
    const template = compile(PLAIN);
    expect([template.calls, template.tools]).toEqual([[GENERIC_CALLS], 'generic']);
    const tools = [{ name: 'get_weather', parameters: { type: 'object' } }];
    const call = {
      id: 'call_1',
      type: 'function' as const,
      function: { name: 'get_weather', arguments: { city: 'X' } },
    };
    const rendered = template.render({
      messages: [
        { role: 'user', content: 'Hello' },
        { role: 'assistant', content: '', tool_calls: [call] },
        { role: 'tool', content: 'sunny', tool_call_id: 'call_1' },
      ],
      tools,
    });
    expect(rendered).toMatch(/^system: # Tools/);
    expect(rendered).toContain('"name":"get_weather"');
    expect(rendered).toContain(
      '<tool_call>\n{"name": "get_weather", "arguments": {"city":"X"}}\n</tool_call>',
    );
    expect(rendered).toContain('user: <tool_response>\nsunny\n</tool_response>');
  });
});
