import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { daemonWith, openDaemonWith, type ChatDaemon } from '../../../helpers/daemon/chat.ts';
import { scriptedModel } from '../../../helpers/models/models.ts';
import {
  THINKING_TEMPLATE,
  TOOL_TEMPLATES,
  WEATHER_ARGUMENTS,
  weatherModel,
} from '../../../helpers/models/tool-models.ts';

const callOf = (name: string, args: object) =>
  `<tool_call>\n${JSON.stringify({ name, arguments: args }).replace('{"name":', '{"name": ').replace(',"arguments":', ', "arguments": ')}\n</tool_call>`;

const PATCH = '*** Begin Patch\n+ "quoted" line\n*** End Patch';
const SPAWN = { type: 'function', name: 'spawn_agent', parameters: { type: 'object' } };
const patch = { type: 'custom', name: 'apply_patch', description: 'Changes files.' };
const grammar = { type: 'grammar', syntax: 'lark', definition: 'start: LINE+' };
const weather = { type: 'function', name: 'get_weather', parameters: { type: 'object' } };

type Item = Record<string, unknown> & { type: string };
type Body = { output: Item[]; usage: { input_tokens: number } };

let daemon: ChatDaemon;

beforeAll(async () => {
  const chatTemplate = TOOL_TEMPLATES.hermes;
  daemon = await openDaemonWith({
    m: await scriptedModel('Any answer.'),
    weather: await weatherModel(),
    patches: await scriptedModel(callOf('apply_patch', { input: PATCH }), {
      chatTemplate,
      afterResult: 'Done it.',
    }),
    spawns: await scriptedModel(callOf('multi_agent_v1__spawn_agent', { task: 'x' }), { chatTemplate }),
    thinks: await scriptedModel('How kind.\n</think>\n\nHello you.', {
      chatTemplate: THINKING_TEMPLATE,
    }),
  });
});
afterAll(() => daemon.close());

const respond = (body: Record<string, unknown>) =>
  daemon.call('POST', '/v1/responses', { token: daemon.key, body: { model: 'm', input: 'hello', ...body } });

const events = async (body: Record<string, unknown>) => {
  const { text } = await respond({ ...body, stream: true });
  return [...text.matchAll(/^data: (.*)$/gm)].map(([, json = '']) => JSON.parse(json) as Item);
};

describe('tools', () => {
  test('that only a provider can run are left out and named', async () => {
    const tools = [weather, { type: 'web_search', external_web_access: false }, { type: 'image_generation' }];
    const reply = await respond({ model: 'weather', tools });
    expect(reply.headers['x-askd-ignored']).toBe('tools[web_search], tools[image_generation]');
    expect(reply.json<Body>().output).toMatchObject([{ type: 'function_call', name: 'get_weather' }]);
  });

  test('that are all left out are not an error, unless one is required', async () => {
    const tools = [{ type: 'web_search' }];
    expect((await respond({ tools, tool_choice: 'auto' })).status).toBe(200);
    const reply = await respond({ tools, tool_choice: 'required' });
    expect([reply.status, reply.json()]).toMatchObject([400, { error: { param: 'tool_choice' } }]);
    const chosen = await respond({ tools: [...tools, weather], tool_choice: { type: 'web_search' } });
    expect([chosen.status, chosen.json()]).toMatchObject([400, { error: { param: 'tool_choice.type' } }]);
  });

  test('of a namespace are called with it', async () => {
    const tools = [{ type: 'namespace', name: 'multi_agent_v1', tools: [SPAWN] }];
    const { output } = (await respond({ model: 'spawns', tools })).json<Body>();
    expect(output).toMatchObject([
      { type: 'function_call', namespace: 'multi_agent_v1', name: 'spawn_agent' },
    ]);
    const result = { type: 'function_call_output', call_id: output[0]?.['call_id'], output: 'spawned' };
    const input = [{ role: 'user', content: 'hello' }, ...output, result];
    expect((await respond({ model: 'spawns', tools, input })).status).toBe(200);
  });

  test('that are custom are called with a text, whole and as a stream, and accept their output', async () => {
    const tools = [{ ...patch, format: grammar }];
    const reply = await respond({ model: 'patches', tools });
    expect(reply.headers['x-askd-ignored']).toBe('tools[].format');
    const { output } = reply.json<Body>();
    expect(output).toMatchObject([
      { type: 'custom_tool_call', name: 'apply_patch', input: PATCH, status: 'completed' },
    ]);
    const streamed = await events({ model: 'patches', tools });
    expect(streamed).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ type: 'response.custom_tool_call_input.delta', delta: PATCH }),
        expect.objectContaining({ type: 'response.custom_tool_call_input.done', input: PATCH }),
      ]),
    );
    const result = { type: 'custom_tool_call_output', call_id: output[0]?.['call_id'], output: 'ok' };
    const input = [{ role: 'user', content: 'hello' }, ...output, result];
    const next = (await respond({ model: 'patches', tools, input })).json<Body>();
    expect(next.output).toMatchObject([{ content: [{ text: 'Done it.' }] }]);
  });

  test('that are allowed are the only ones that the model sees', async () => {
    const body = { model: 'weather', tools: [weather, SPAWN] };
    const allow = (name: string) => ({
      type: 'allowed_tools',
      mode: 'auto',
      tools: [{ type: 'function', name }],
    });
    const both = (await respond(body)).json<Body>();
    const one = (await respond({ ...body, tool_choice: allow('get_weather') })).json<Body>();
    expect(one.usage.input_tokens).toBeLessThan(both.usage.input_tokens);
    expect(one.output).toMatchObject([
      {
        name: 'get_weather',
        arguments: JSON.stringify(WEATHER_ARGUMENTS).replaceAll(':', ': ').replaceAll(',', ', '),
      },
    ]);
    const unknown = await respond({ ...body, tool_choice: allow('get_time') });
    expect([unknown.status, unknown.json()]).toMatchObject([
      400,
      { error: { param: 'tool_choice.tools[0].name' } },
    ]);
  });
});

test('left-out parts are refused when strict parameters are on', async () => {
  const strict = await daemonWith(
    { m: await scriptedModel('Any answer.') },
    { ASKD_STRICT_PARAMETERS: 'on' },
  );
  const body = { model: 'm', input: 'hello', tools: [weather, { type: 'web_search' }] };
  const reply = await strict.call('POST', '/v1/responses', { token: strict.key, body });
  expect([reply.status, reply.json()]).toMatchObject([400, { error: { param: 'tools[1].type' } }]);
});

describe('items', () => {
  const call = { type: 'function_call', call_id: 'call_1', name: 'get_weather', arguments: '{}' };

  test('of results may have parts', async () => {
    const output = [
      { type: 'input_text', text: 'sunny' },
      { type: 'input_text', text: 'and warm' },
    ];
    const input = [
      { role: 'user', content: 'x' },
      call,
      { type: 'function_call_output', call_id: 'call_1', output },
    ];
    const text = [
      ...input.slice(0, 2),
      { type: 'function_call_output', call_id: 'call_1', output: 'sunny\nand warm' },
    ];
    const [parts, plain] = [
      await respond({ model: 'weather', input }),
      await respond({ model: 'weather', input: text }),
    ];
    expect(parts.json<Body>().usage.input_tokens).toBe(plain.json<Body>().usage.input_tokens);
  });

  test("for a provider's work outside the conversation are left out and named", async () => {
    const input = [
      { role: 'user', content: 'x' },
      { type: 'web_search_call', id: 'ws_1', status: 'completed' },
    ];
    const reply = await respond({ input });
    expect([reply.status, reply.headers['x-askd-ignored']]).toEqual([
      200,
      'input[].status, input[web_search_call]',
    ]);
  });

  test('that cannot be read are refused with what to send instead', async () => {
    const reply = await respond({ input: [{ type: 'computer_call_output', call_id: 'x' }] });
    const message: unknown = expect.stringContaining('function_call_output');
    expect([reply.status, reply.json()]).toMatchObject([
      400,
      { error: { code: 'unsupported_parameter', param: 'input[0].type', message } },
    ]);
  });

  test('may be refusals, have a phase, and bring a text file', async () => {
    const file = `data:text/plain;base64,${Buffer.from('Grüße').toString('base64')}`;
    const input = [
      { role: 'user', content: [{ type: 'input_file', filename: 'a.txt', file_data: file }] },
      { role: 'assistant', phase: 'commentary', content: [{ type: 'refusal', refusal: 'No.' }] },
      { role: 'user', content: 'Please.' },
    ];
    const reply = await respond({ input });
    expect([reply.status, reply.headers['x-askd-ignored']]).toEqual([200, 'input[].phase']);
    const broken = [
      { ...input[0], content: [{ type: 'input_file', file_data: 'data:image/png;base64,iVBORw==' }] },
    ];
    expect((await respond({ input: broken })).json()).toMatchObject({
      error: { code: 'invalid_value', param: 'input[0].content[0].file_data' },
    });
  });
});

describe('reasoning', () => {
  const ask = { model: 'thinks', reasoning: { effort: 'low', summary: 'auto' } };

  test('comes as a summary on request', async () => {
    const { output } = (await respond(ask)).json<Body>();
    expect(output).toMatchObject([
      { type: 'reasoning', summary: [{ type: 'summary_text', text: 'How kind.' }] },
      { type: 'message' },
    ]);
    const types = (await events(ask)).map(({ type }) => type).filter((type) => type.includes('summary'));
    expect([...new Set(types)]).toEqual([
      'response.reasoning_summary_part.added',
      'response.reasoning_summary_text.delta',
      'response.reasoning_summary_text.done',
      'response.reasoning_summary_part.done',
    ]);
    const plain = (await respond({ model: 'thinks', reasoning: { effort: 'low' } })).json<Body>();
    expect(plain.output).toMatchObject([
      { summary: [], content: [{ type: 'reasoning_text', text: 'How kind.' }] },
      {},
    ]);
  });

  test('can be kept by clients that store nothing on the server', async () => {
    const include = ['reasoning.encrypted_content'];
    const { output } = (await respond({ ...ask, include, store: false })).json<Body>();
    const [thought] = output;
    expect(thought?.['encrypted_content']).toEqual(expect.any(String));
    const carried = {
      type: 'reasoning',
      id: 'rs_x',
      summary: [],
      encrypted_content: thought?.['encrypted_content'],
    };
    const open = {
      ...carried,
      encrypted_content: undefined,
      content: [{ type: 'reasoning_text', text: 'How kind.' }],
    };
    const usage = async (item: object) => {
      const input = [item, { role: 'user', content: 'on' }];
      return (await respond({ model: 'thinks', input })).json<Body>().usage.input_tokens;
    };
    expect(await usage(carried)).toBe(await usage(open));
  });
});

test('logprobs of tokens come with the text on request', async () => {
  const { output } = (
    await respond({ include: ['message.output_text.logprobs'], top_logprobs: 2 })
  ).json<Body>();
  const [message] = output as unknown as {
    content: { text: string; logprobs: { token: string; top_logprobs: object[] }[] }[];
  }[];
  const { text = '', logprobs = [] } = message?.content[0] ?? {};
  expect(logprobs.map(({ token }) => token).join('')).toBe(text);
  expect(logprobs[0]?.top_logprobs).toHaveLength(2);
});
