import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { hello, openDaemonWith, type ChatDaemon } from '../../../helpers/daemon/chat.ts';
import { pictureUrl } from '../../../helpers/models/image-files.ts';
import { randomModel, scriptedModel } from '../../../helpers/models/models.ts';

vi.setConfig({ testTimeout: 90_000 });

const call = (name: string) => ({ id: 'c1', type: 'function', function: { name, arguments: '{}' } });
const tool = (name: string) => ({
  type: 'function',
  function: {
    name,
    strict: true,
    parameters: { type: 'object', properties: {}, additionalProperties: false },
  },
});
const allowed = (mode: string, ...names: string[]) => ({
  type: 'allowed_tools',
  allowed_tools: { mode, tools: names.map((name) => ({ type: 'function', function: { name } })) },
});

let daemon: ChatDaemon;

beforeAll(async () => {
  daemon = await openDaemonWith({
    m: await scriptedModel('Any answer.'),
    random: await randomModel('qwen2'),
  });
}, 60_000);
afterAll(() => daemon.close());

const content = (reply: Awaited<ReturnType<ChatDaemon['chat']>>) =>
  reply.json<{ choices: { message: { content: string } }[] }>().choices[0]?.message.content;

describe('what clients of the convention send', () => {
  test.each([
    [
      'a result with the name of its tool',
      [call('f')],
      { role: 'tool', tool_call_id: 'c1', name: 'f', content: 'x' },
    ],
    ['who speaks', undefined, { role: 'user', name: 'Ann', content: 'x' }],
  ])('%s is accepted', async (_, calls, last) => {
    const messages = [
      ...hello,
      { role: 'assistant', content: 'Yes.', name: 'Bo', ...(calls && { tool_calls: calls }) },
      last,
    ];
    expect((await daemon.chat({ messages })).status).toBe(200);
  });

  test('a result under the name of another tool is an error', async () => {
    const messages = [
      ...hello,
      { role: 'assistant', content: null, tool_calls: [call('f')] },
      { role: 'tool', tool_call_id: 'c1', name: 'g', content: 'x' },
    ];
    const reply = await daemon.chat({ messages });
    expect([reply.status, reply.json()]).toMatchObject([
      400,
      { error: { code: 'invalid_value', param: 'messages[2].name' } },
    ]);
  });

  test.each([
    { role: 'assistant', content: 'x', refusal: null, annotations: [], audio: null, function_call: null },
    { role: 'assistant', content: null, refusal: 'No.' },
    { role: 'assistant', content: [{ type: 'refusal', refusal: 'No.' }] },
  ])('an answer of another server comes back as it was: %j', async (answer) => {
    expect((await daemon.chat({ messages: [...hello, answer, ...hello] })).status).toBe(200);
  });

  test.each([
    { modalities: ['text'] },
    { verbosity: 'low' },
    { prediction: { type: 'content', content: 'Any answer.' } },
    { prompt_cache_retention: '24h' },
    { reasoning_effort: 'xhigh' },
    { top_k: 1 },
  ])('%j changes nothing here, or only the odds', async (change) => {
    const reply = await daemon.chat(change);
    expect([reply.status, content(reply)]).toEqual([200, 'Any answer.']);
  });

  test.each([
    [{ modalities: ['text', 'audio'] }, 'modalities'],
    [{ web_search_options: {} }, 'web_search_options'],
    [
      {
        messages: [
          { role: 'user', content: [{ type: 'input_audio', input_audio: { data: '', format: 'wav' } }] },
        ],
      },
      'messages[0].content[0].input_audio',
    ],
  ])('an unsupported request is named: %j', async (change, param) => {
    const reply = await daemon.chat(change);
    expect([reply.status, reply.json()]).toMatchObject([
      400,
      { error: { code: 'unsupported_parameter', param } },
    ]);
  });

  test.each([
    [{ type: 'text' }, 'messages[0].content[0].text'],
    [{ type: 'image_url' }, 'messages[0].content[0].image_url'],
  ])('a part that lacks its own content is an error: %j', async (part, param) => {
    const reply = await daemon.chat({ messages: [{ role: 'user', content: [part] }] });
    expect(reply.json()).toMatchObject({ error: { code: 'missing_required_parameter', param } });
  });
});

test('an image may be a plain address, and is refused like any other where the model reads none', async () => {
  const url = await pictureUrl('red');
  const codes = [url, { url }].map(async (image) => {
    const parts = [
      { type: 'text', text: 'What is it?' },
      { type: 'image_url', image_url: image },
    ];
    const reply = await daemon.chat({ messages: [{ role: 'user', content: parts }] });
    return [reply.status, reply.json<{ error: { code: string } }>().error.code];
  });
  const [plain, named] = await Promise.all(codes);
  expect(plain).toEqual(named);
  expect(plain).toEqual([400, 'model_capability_mismatch']);
});

describe('an object with a schema of its own', () => {
  test('is held to it', async () => {
    const reply = await daemon.chat({
      model: 'random',
      response_format: { type: 'json_object', schema: { const: '42' } },
    });
    expect(content(reply)?.trim()).toBe('"42"');
  });

  test.each([123, { type: 123 }, { type: 'hiccup' }])(
    'is refused if it is not a schema: %j',
    async (schema) => {
      const reply = await daemon.chat({ response_format: { type: 'json_object', schema } });
      expect(reply.status).toBe(400);
    },
  );

  test('belongs to json_object only', async () => {
    const reply = await daemon.chat({ response_format: { type: 'text', schema: {} } });
    expect(reply.json()).toMatchObject({ error: { param: 'response_format.schema' } });
  });
});

describe('a choice of the tools that are allowed', () => {
  const tools = [tool('f'), tool('g')];

  test('leaves the model no other tools', async () => {
    for (const name of ['f', 'g']) {
      const { choices } = await daemon.sdk.chat.completions.create({
        model: 'random',
        messages: hello,
        tools: tools as never,
        tool_choice: allowed('required', name) as never,
        parallel_tool_calls: false,
        max_tokens: 200,
      });
      expect(choices[0]?.message.tool_calls).toMatchObject([{ function: { name } }]);
    }
  });

  test.each([
    [allowed('auto', 'h'), 'invalid_value', 'tool_choice.allowed_tools.tools[0].function.name'],
    [{ type: 'allowed_tools' }, 'missing_required_parameter', 'tool_choice.allowed_tools'],
    [{ type: 'function' }, 'missing_required_parameter', 'tool_choice.function'],
    [{ ...allowed('auto', 'f'), function: { name: 'f' } }, 'invalid_value', 'tool_choice'],
  ])('%j is refused', async (choice, code, param) => {
    const reply = await daemon.chat({ tools, tool_choice: choice });
    expect([reply.status, reply.json()]).toMatchObject([400, { error: { code, param } }]);
  });
});
