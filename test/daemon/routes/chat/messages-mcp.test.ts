import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Anthropic from '@anthropic-ai/sdk';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { collect, eventually, hello, openDaemonWith, type ChatDaemon } from '../../../helpers/daemon/chat.ts';
import { scriptedModel } from '../../../helpers/models/models.ts';
import { TOOL_TEMPLATES, WEATHER_ARGUMENTS, weatherModel } from '../../../helpers/models/tool-models.ts';
import { announce, runCli } from '../../../helpers/terminal/cli.ts';

const HOSTILE = join(import.meta.dirname, '../../../helpers/servers/mcp/hostile-server.js');
const ANSWER = 'It is done.';
const SPOKEN = 'Good morning to you!';
const betas = ['mcp-client-2025-11-20' as const];

/** Several models are loaded, each for the first time. */
vi.setConfig({ testTimeout: 120_000 });

/** A model that calls this tool, and then has its answer. */
const caller = (name: string, input: object = { text: 'hello' }) =>
  scriptedModel(`<tool_call>\n{"name": "${name}", "arguments": ${JSON.stringify(input)}}\n</tool_call>`, {
    chatTemplate: TOOL_TEMPLATES.hermes,
    afterResult: ANSWER,
  });

let daemon: ChatDaemon;
let client: Anthropic;
let address: string;

const clientWith = (apiKey: string) =>
  new Anthropic({ apiKey, baseURL: `http://127.0.0.1:${daemon.port}`, maxRetries: 0, timeout: 60_000 });

beforeAll(async () => {
  daemon = await openDaemonWith({
    looker: await caller('box__echo'),
    writer: await caller('box__write'),
    flooder: await caller('box__flood'),
    liner: await caller('box__line'),
    dier: await caller('box__die'),
    waiter: await caller('box__silent'),
    relay: await caller('me__chat', { prompt: 'hello', model: 'speaker' }),
    speaker: await scriptedModel(SPOKEN),
    weather: await weatherModel(),
  });
  announce(daemon);
  client = clientWith(daemon.key);
  address = `http://127.0.0.1:${daemon.port}/mcp`;
  const key = daemon.services.keys.verify(daemon.key).keyId;
  const headers = { authorization: `Bearer ${daemon.key}` };
  for (const server of [
    { name: 'box', command: process.execPath, args: [HOSTILE] },
    { name: 'self', url: address, headers },
  ]) {
    expect((await daemon.call('POST', '/api/daemon/mcp', { body: server })).status).toBe(201);
    const path = `/api/daemon/mcp/${server.name}/allow`;
    expect((await daemon.call('POST', path, { body: { key } })).status).toBe(200);
  }
}, 120_000);
afterAll(() => daemon.close());

type Request = Anthropic.Beta.MessageCreateParamsNonStreaming;
type Toolset = Anthropic.Beta.BetaMCPToolset;
const box = (more: Partial<Toolset> = {}): Toolset => ({
  ...{ type: 'mcp_toolset', mcp_server_name: 'box' },
  ...more,
});
/** A toolset of these tools and no others. */
const only = (...names: string[]) =>
  box({
    default_config: { enabled: false },
    configs: Object.fromEntries(names.map((name) => [name, { enabled: true }])),
  });
const without = (...names: string[]) =>
  box({ configs: Object.fromEntries(names.map((name) => [name, { enabled: false }])) });
const asking = (model: string, more: Partial<Request> = {}): Request => ({
  ...{ model, max_tokens: 200, messages: hello, betas, tools: [box()] },
  ...more,
});
const kindsOf = ({ content }: Anthropic.Beta.BetaMessage) => content.map(({ type }) => type);
const textOf = ({ content }: Anthropic.Beta.BetaMessage) =>
  content.map((block) => (block.type === 'text' ? block.text : '')).join('');
const callsOf = ({ content }: Anthropic.Beta.BetaMessage) =>
  content.flatMap((block) => (block.type === 'mcp_tool_use' ? [block.name] : []));
const CALLED = ['mcp_tool_use', 'mcp_tool_result', 'text'];

/** Its error, in the shape of this API. */
async function failureOf(body: object, token = daemon.key) {
  const reply = await daemon.call('POST', '/v1/messages', {
    token,
    body: { model: 'looker', max_tokens: 100, messages: hello, ...body },
  });
  return { status: reply.status, ...reply.json<{ error: Record<string, string> }>().error };
}

describe('a tool of a registered server', () => {
  test('is called, and the answer follows; the next request may send it all back', async () => {
    const { data: message, response } = await client.beta.messages.create(asking('looker')).withResponse();
    const [call, result] = message.content;
    expect(kindsOf(message)).toEqual(CALLED);
    expect(call).toEqual({
      ...{ type: 'mcp_tool_use', id: expect.stringMatching(/^mcptoolu_/) as string },
      ...{ name: 'echo', server_name: 'box', input: { text: 'hello' } },
    });
    expect(result).toEqual({
      ...{ type: 'mcp_tool_result', tool_use_id: (call as { id: string }).id, is_error: false },
      content: [{ type: 'text', text: 'hello' }],
    });
    expect([textOf(message), message.stop_reason]).toEqual([ANSWER, 'end_turn']);
    expect(response.headers.get('x-askd-ignored')).toBe('mcp_servers[box].write');
    const again = [...hello, { role: 'assistant' as const, content: message.content }, ...hello];
    const next = await client.beta.messages
      .create(asking('looker', { messages: again, tools: [] }))
      .withResponse();
    expect(next.response.headers.get('x-askd-ignored')).toBeNull();
  });

  test("streams its call and its result as Anthropic's package reads them", async () => {
    const whole = await client.beta.messages.create(asking('looker'));
    const stream = client.beta.messages.stream(asking('looker'));
    const inputs: unknown[] = [];
    stream.on('inputJson', (_part, input) => void inputs.push(input));
    const events = await collect(stream);
    const message = await stream.finalMessage();
    const withoutIds = (content: object[]) =>
      content.map((block) => ({ ...block, id: undefined, tool_use_id: undefined }));
    expect(withoutIds(message.content)).toEqual(withoutIds(whole.content));
    expect(message.usage.output_tokens).toBe(whole.usage.output_tokens);
    expect(inputs.at(-1)).toEqual({ text: 'hello' });
    const blocks = events.flatMap((event) => {
      if (event.type === 'content_block_start') return [`${event.index} ${event.content_block.type}`];
      return event.type === 'content_block_stop' ? [`${event.index} ends`] : [];
    });
    expect(blocks).toEqual([
      ...['0 mcp_tool_use', '0 ends', '1 mcp_tool_result', '1 ends', '2 text', '2 ends'],
    ]);
  });

  test('is found by the address of its server, under the name that the client gives it', async () => {
    const server = {
      ...{ type: 'url' as const, name: 'me', url: address, authorization_token: 'a-token-of-the-client' },
      tool_configuration: { enabled: true, allowed_tools: ['chat'] },
    };
    const request = asking('relay', { mcp_servers: [server], betas: ['mcp-client-2025-04-04'], tools: [] });
    const { data: message, response } = await client.beta.messages.create(request).withResponse();
    expect(kindsOf(message)).toEqual(CALLED);
    expect(message.content[0]).toMatchObject({ server_name: 'me', name: 'chat' });
    expect(message.content[1]).toMatchObject({ content: [{ type: 'text', text: SPOKEN }] });
    expect(response.headers.get('x-askd-ignored')).toBe('mcp_servers[].authorization_token');
    const log = readFileSync(daemon.services.settings.paths.log, 'utf8');
    expect(log).toContain('an MCP tool was called');
    expect(log).not.toContain('a-token-of-the-client');
  });

  test('is on the usage record of its request, and each round is charged', async () => {
    const message = await client.beta.messages.create(asking('looker'));
    const id = message.id.replace(/^msg_/, 'req_');
    const of = async (request: string) =>
      (await daemon.call('GET', `/api/usage/requests/${request}`)).json<{
        prompt_tokens: number;
        completion_tokens: number;
        credits: number;
        tool_calls: object[];
      }>();
    const [first, second] = [await of(id), await of(`${id}.r2`)];
    expect(first.tool_calls).toMatchObject([{ server: 'box', tool: 'echo', outcome: 'ok' }]);
    const { input_tokens: read, cache_read_input_tokens: cached, output_tokens: written } = message.usage;
    expect(first.prompt_tokens + second.prompt_tokens).toBe(read + (cached ?? 0));
    expect(first.completion_tokens + second.completion_tokens).toBe(written);
    expect(Math.min(first.credits, second.credits)).toBeGreaterThan(0);
  });

  test('that needs approval is left out and named; if none is left, the request is refused', async () => {
    const { data: message, response } = await client.beta.messages
      .create(asking('writer', { tools: [only('write', 'env')] }))
      .withResponse();
    expect(callsOf(message)).not.toContain('write');
    expect(response.headers.get('x-askd-ignored')).toBe('mcp_servers[box].write');
    const failure = await failureOf({ tools: [only('write')] });
    expect(failure).toMatchObject({
      ...{ status: 400, type: 'invalid_request_error', param: 'tools[0].mcp_server_name' },
      message: expect.stringContaining('askd mcp allow box TOOL --free') as string,
    });
  });

  const named = (configuration: object): Partial<Request> => ({
    mcp_servers: [{ type: 'url', name: 'box', tool_configuration: configuration } as never],
  });
  const removal = (tool: Anthropic.Beta.BetaRequestToolRemovalBlock['tool']): Partial<Request> => ({
    messages: [...hello, { role: 'system', content: [{ type: 'tool_removal', tool }] }],
    tools: [only('echo', 'env')],
  });
  test.each<[string, Partial<Request>, string[]]>([
    ['its toolset names the others', { tools: [only('env')] }, ['env']],
    [
      'its toolset switches it off',
      { tools: [without('echo', 'write', 'big', 'silent', 'flood', 'line', 'die')] },
      ['env'],
    ],
    [
      'its toolset lists the others',
      { tools: [box({ tools: [{ name: 'env', input_schema: {} }] })] },
      ['env'],
    ],
    ['its server allows the others', { ...named({ allowed_tools: ['env'] }), tools: [] }, ['env']],
    ['its server is switched off', named({ enabled: false }), []],
    [
      'a message takes it away',
      removal({ type: 'mcp_tool_reference', server_name: 'box', name: 'echo' }),
      ['env'],
    ],
    ['a message takes them all away', removal({ type: 'mcp_toolset_reference', server_name: 'box' }), []],
  ])('is not offered where %s', async (_why, more, calls) => {
    const message = await client.beta.messages.create(asking('looker', more));
    expect(new Set(callsOf(message))).toEqual(new Set(calls));
  });

  test('is counted with the tokens of the prompt', async () => {
    const count = async (tools: Toolset[]) =>
      (await client.beta.messages.countTokens({ model: 'looker', messages: hello, betas, tools }))
        .input_tokens;
    const [none, one, all] = [await count([]), await count([only('echo')]), await count([box()])];
    expect([none < one, one < all]).toEqual([true, true]);
  });

  test('can be forced by either of its names, and then the model is free to answer', async () => {
    for (const name of ['box__echo', 'box_echo']) {
      const message = await client.beta.messages.create(
        asking('looker', { tool_choice: { type: 'tool', name } }),
      );
      expect(kindsOf(message)).toEqual(CALLED);
    }
    expect(await failureOf({ tools: [box()], tool_choice: { type: 'tool', name: 'echo' } })).toMatchObject({
      ...{ status: 400, param: 'tool_choice.name' },
    });
  });

  test('works alongside tools of the client, whose calls end the turn', async () => {
    const weather = { name: 'get_weather', input_schema: { type: 'object' as const } };
    const message = await client.beta.messages.create(asking('weather', { tools: [weather, box()] }));
    expect([kindsOf(message), message.stop_reason]).toEqual([['tool_use'], 'tool_use']);
    expect(message.content[0]).toMatchObject({ name: 'get_weather', input: WEATHER_ARGUMENTS });
  });
});

describe('a server that means harm', () => {
  test.each(['flooder', 'liner', 'dier'])('harms only its call: %s', async (model) => {
    const message = await client.beta.messages.create(asking(model));
    expect([kindsOf(message), textOf(message)]).toEqual([CALLED, ANSWER]);
    const text = expect.stringContaining('The MCP server "box" failed') as string;
    expect(message.content[1]).toMatchObject({ is_error: true, content: [{ text }] });
  });

  test('that never answers does not hold a client that leaves, and the next one is served', async () => {
    const stream = client.beta.messages.stream(asking('waiter'));
    for await (const event of stream) if (event.type === 'content_block_stop') break;
    const calls = () =>
      daemon.services.store.prepare("SELECT outcome FROM mcp_calls WHERE tool = 'silent'").all();
    await eventually(calls).toEqual([{ outcome: 'client_disconnected' }]);
    expect(kindsOf(await client.beta.messages.create(asking('looker')))).toEqual(CALLED);
  });
});

describe('an API key', () => {
  test('has only the tools that the owner gave it', async () => {
    const { key, id } = daemon.services.keys.create({
      ...{ accountId: 'acct_local', name: 'app', scopes: ['chat'], expiresAt: null },
    });
    expect(await failureOf({ tools: [box()] }, key)).toMatchObject({
      ...{ status: 404, type: 'not_found_error' },
      message: expect.stringContaining('can be used with this key') as string,
    });
    await runCli(['mcp', 'allow', 'box', 'env', '--key', id], { home: daemon.home });
    const other = clientWith(key);
    expect(callsOf(await other.beta.messages.create(asking('looker')))).toEqual(['env']);
    await runCli(['mcp', 'allow', 'box', 'echo', '--key', id], { home: daemon.home });
    expect(kindsOf(await other.beta.messages.create(asking('looker')))).toEqual(CALLED);
  });

  test.each([
    [{ mcp_servers: [{ type: 'url', name: 'other' }] }, 'mcp_servers[0].name', 'askd mcp add other'],
    [
      { mcp_servers: [{ type: 'url', name: 'x', url: 'http://169.254.169.254/mcp' }] },
      'mcp_servers[0].url',
      'askd calls no others',
    ],
    [{ tools: [box({ mcp_server_name: 'x' })] }, 'tools[0].mcp_server_name', 'askd mcp add x'],
    [{ tools: [{ type: 'mcp_toolset' }] }, 'tools[0].mcp_server_name', 'is required'],
    [{ tools: [box(), box()] }, 'tools[1].mcp_server_name', '"box" is named twice'],
  ])('cannot name a server that is not registered: %j', async (body, param, message) => {
    expect(await failureOf(body)).toMatchObject({
      ...{ status: 400, param, message: expect.stringContaining(message) as string },
    });
  });
});
