import { describe, expect, test } from 'vitest';
import { toTools } from '../../../../daemon/apis/messages/tools.ts';
import type { MessageTool, MessageToolChoice } from '../../../../src/api/chat/message-tools.ts';
import type { TurnMessage } from '../../../../src/api/chat/messages.ts';

const weather: MessageTool = { name: 'get_weather', input_schema: { type: 'object' } };
const search: MessageTool = { type: 'web_search_20250305', name: 'web_search' };

function offered(
  tools: MessageTool[],
  options: { choice?: MessageToolChoice; messages?: TurnMessage[] } = {},
) {
  const left: string[] = [];
  const { choice, messages = [] } = options;
  const body = { tools, messages, ...(choice && { tool_choice: choice }) };
  return { ...toTools(body, { leaveOut: (name) => void left.push(name) }), left };
}
const namesOf = (tools: MessageTool[], messages: TurnMessage[] = []) =>
  offered(tools, { messages }).tools?.map(({ name }) => name);

test('tools that run at a provider are left out, and named', () => {
  const { tools, left } = offered([weather, search, { type: 'tool_search_tool_bm25' }]);
  expect(tools?.map(({ name }) => name)).toEqual(['get_weather']);
  expect(left).toEqual(['tools[].web_search_20250305', 'tools[].tool_search_tool_bm25']);
});

test("a tool that only a provider's program may call is left out, too", () => {
  const { tools, left } = offered([{ ...weather, allowed_callers: ['code_execution_20250825'] }]);
  expect([tools, left]).toEqual([undefined, ['tools[].custom']]);
});

test.each([
  ['bash_20250124', 'bash', ['command', 'restart']],
  ['text_editor_20250728', 'str_replace_based_edit_tool', ['command', 'path', 'insert_text', 'view_range']],
  ['text_editor_20250124', 'str_replace_editor', ['command', 'path', 'new_str']],
  ['memory_20250818', 'memory', ['command', 'old_path', 'new_path']],
  ['computer_20250124', 'computer', ['action', 'coordinate', 'scroll_direction']],
])('%s is offered with the schema that its type stands for', (type, name, fields) => {
  const { tools, left } = offered([{ type, name, display_width_px: 800, display_height_px: 600 }]);
  expect(left).toEqual([]);
  const [tool] = tools ?? [];
  expect(tool?.name).toBe(name);
  expect(Object.keys((tool?.parameters as { properties: object }).properties)).toEqual(
    expect.arrayContaining(fields),
  );
});

test('only the first editor can undo', () => {
  const commands = (type: string) => JSON.stringify(offered([{ type, name: 'edit' }]).tools);
  expect(commands('text_editor_20250124')).toContain('undo_edit');
  expect(commands('text_editor_20250728')).not.toContain('undo_edit');
});

test('a computer says how large its screen is', () => {
  const tool = { type: 'computer_20250124', name: 'computer', display_width_px: 800, display_height_px: 600 };
  expect(offered([tool]).tools?.[0]?.description).toContain('800 pixels wide and 600 high');
});

test('examples of its input are in the description of a tool', () => {
  const { tools } = offered([
    { ...weather, description: 'The weather.', input_examples: [{ city: 'Rome' }] },
  ]);
  expect(tools?.[0]?.description).toBe('The weather.\n\nExamples of its input:\n{"city":"Rome"}');
});

describe('a choice', () => {
  test.each([{ type: 'auto' }, { type: 'none' }] as const)('%j needs no tools', (choice) => {
    expect(offered([search], { choice })).toMatchObject({ left: ['tools[].web_search_20250305'] });
  });

  test.each<[string, MessageTool[], MessageToolChoice]>([
    ['of one that is left out', [weather, search], { type: 'tool', name: 'web_search' }],
    ['of any where all are left out', [search], { type: 'any' }],
  ])('%s is refused, and says why', (_what, tools, choice) => {
    expect(() => offered(tools, { choice })).toThrow(
      'The tool "web_search" (web_search_20250305) runs at a provider',
    );
  });
});

describe('tools that come and go in a conversation', () => {
  const change = (type: string, tool: object): TurnMessage => ({
    role: 'system',
    content: [{ type, tool }] as never,
  });
  const clock: MessageTool = { name: 'get_time', input_schema: { type: 'object' } };
  const added = change('tool_addition', { type: 'tool_definition', definition: clock });
  const removed = change('tool_removal', { type: 'tool_reference', name: 'get_weather' });

  test('are offered as they are at the end', () => {
    expect(namesOf([weather], [added, removed])).toEqual(['get_time']);
  });

  test('may choose one that existed, but was not yet shown', () => {
    const shown = change('tool_addition', { type: 'tool_reference', name: 'get_weather' });
    expect(namesOf([weather], [shown])).toEqual(['get_weather']);
  });

  test('must be tools', () => {
    const wrong = change('tool_addition', { type: 'tool_definition', definition: { name: 5 } });
    expect(() => namesOf([weather], [wrong])).toThrow('An added tool must be a tool_definition');
  });
});
