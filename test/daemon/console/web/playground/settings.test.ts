import { expect, test } from 'vitest';
import {
  formatted,
  readJson,
} from '../../../../../daemon/console/web/screens/playground/chat/settings/json.ts';
import {
  DEFAULTS,
  problemsOf,
  toBody,
  type ChatSettings,
} from '../../../../../daemon/console/web/screens/playground/chat/settings/settings.ts';
import {
  readTools,
  TOOL_EXAMPLES,
} from '../../../../../daemon/console/web/screens/playground/chat/settings/tools.ts';
import { SCHEMA_EXAMPLES } from '../../../../../daemon/console/web/screens/playground/chat/settings/schemas.ts';
import { schemaProblems } from '../../../../../daemon/console/web/screens/playground/chat/turns/schema-problems.ts';
import { ChatCompletionRequest } from '../../../../../src/api/chat/chat.ts';
import { Check } from 'typebox/schema';

const messages = [{ role: 'user' as const, content: 'a' }];
const body = (part: Partial<ChatSettings>) => toBody({ ...DEFAULTS, ...part }, messages);

test('empty fields are left to the daemon', () => {
  expect(body({})).toEqual({
    model: 'svc-chat-v1',
    messages,
    stream: true,
    stream_options: { include_usage: true },
  });
});

test('every setting has its parameter, in a body that the API accepts', () => {
  const numbers = {
    ...{ temperature: '0.5', top_p: '0.9', max_tokens: '5', seed: '1', top_k: '20', min_p: '0.1' },
    ...{ typical_p: '0.5', presence_penalty: '1', frequency_penalty: '-1', repeat_penalty: '1.1' },
    ...{ repeat_last_n: '64', n: '2', reasoning_tokens: '100' },
  };
  const sent = body({
    numbers,
    system: 'Be brief.',
    effort: 'low',
    stop: 'one\n\ntwo',
    logitBias: '{"1": -100}',
    templateArguments: '{"a": 1}',
    alternatives: '3',
    format: 'schema',
    tools: JSON.stringify(TOOL_EXAMPLES['Weather']),
    toolChoice: '=get_weather',
    parallel: false,
  });
  expect(Check(ChatCompletionRequest, sent)).toBe(true);
  expect(sent).toMatchObject({
    ...{ temperature: 0.5, top_k: 20, typical_p: 0.5, repeat_last_n: 64, n: 2, stop: ['one', 'two'] },
    messages: [{ role: 'system', content: 'Be brief.' }, ...messages],
    reasoning: { effort: 'low', max_tokens: 100 },
    logit_bias: { '1': -100 },
    chat_template_kwargs: { a: 1 },
    logprobs: true,
    top_logprobs: 3,
    response_format: { type: 'json_schema', json_schema: { schema: SCHEMA_EXAMPLES['Person'] } },
    tool_choice: { type: 'function', function: { name: 'get_weather' } },
    parallel_tool_calls: false,
  });
});

test('a forced tool that was renamed is no longer forced', () => {
  const tools = JSON.stringify(TOOL_EXAMPLES['Free text']);
  expect(body({ tools, toolChoice: '=run_python' }).tool_choice).toMatchObject({ type: 'custom' });
  expect(body({ tools, toolChoice: '=get_weather' })).not.toHaveProperty('tool_choice');
});

test('what cannot be sent is named by its parameter', () => {
  const problems = problemsOf({
    ...DEFAULTS,
    numbers: { temperature: '3', seed: '1.5', max_tokens: '0' },
    logitBias: '[1]',
    templateArguments: '{',
    format: 'schema',
    schema: '{\n  "type": "object",\n}',
    tools: '{}',
  });
  expect(problems).toEqual({
    temperature: 'From 0 to 2.',
    seed: 'A whole number.',
    max_tokens: 'At least 1.',
    logit_bias: 'An object: { … }.',
    chat_template_kwargs: expect.stringMatching(/^Line 1, column 2: /),
    response_format: expect.stringMatching(/^Line 3, column 1: /),
    tools: 'A list of tools: [ … ].',
  });
  expect(problemsOf(DEFAULTS)).toEqual({});
});

test.each([
  ['[1]', 'Tool 1: it must be an object.'],
  ['[{"type": "function"}]', 'Tool 1: it has no "function"'],
  ['[{"type": "web"}]', '"type" must be'],
  ['[{"type": "function", "function": {"name": "a b"}}]', '64 letters'],
])('the tools %s are refused with a reason', (text, reason) => {
  expect(readTools(text).problem).toContain(reason);
});

test.each(Object.values(TOOL_EXAMPLES))('the examples of tools can be sent', (...tools) => {
  expect(readTools(JSON.stringify(tools.flat())).problem).toBe('');
});

test('JSON is formatted, and anything else is left as it is', () => {
  expect(formatted('{"a":[1]}')).toBe('{\n  "a": [\n    1\n  ]\n}');
  expect(formatted('{"a":')).toBe('{"a":');
  expect(readJson('{"a": 1, // no\n}').problem).toMatchObject({ line: 1, column: 10 });
});

test('an answer that differs from its schema is reported with the place', () => {
  const schema = SCHEMA_EXAMPLES['Person'];
  expect(schemaProblems(schema, { name: 'Ada', age: 36, languages: [] })).toEqual([]);
  const problems = schemaProblems(schema, { name: 1, age: -1, languages: ['en', 2] });
  expect(problems.join(' ')).toMatch(
    /\/name must be string.*\/age must be >= 0.*\/languages\/1 must be string/,
  );
  expect(schemaProblems({ type: 'string', pattern: '(' }, 'a')[0]).toContain('cannot be used');
});
