import { describe, expect, test } from 'vitest';
import { triggerOf } from '../../../../models/engines/answer/answer-reader.ts';
import { GENERIC_CALLS, ID_MARK } from '../../../../models/engines/answer/call-format.ts';
import { createChatTemplate } from '../../../../models/engines/answer/chat-template.ts';
import { TOOL_TEMPLATES } from '../../../helpers/tool-models.ts';

const compile = (source: string) => createChatTemplate({ source, bosToken: '', eosToken: '<|im_end|>' });
const PLAIN = '{% for m in messages %}{{ m.role }}: {{ m.content }}\n{% endfor %}';

describe('the format of calls is read out of a template', () => {
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
    expect(calls).toEqual(format);
    expect(triggerOf(calls)).toEqual(trigger);
    expect(tools).toBe('template');
  });

  test('and is a general one where the template knows no tools', () => {
    const template = compile(PLAIN);
    expect([template.calls, template.tools]).toEqual([GENERIC_CALLS, 'generic']);
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
