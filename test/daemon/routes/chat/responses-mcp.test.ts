import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { collect, openDaemonWith, type ChatDaemon } from '../../../helpers/daemon/chat.ts';
import { scriptedModel } from '../../../helpers/models/models.ts';
import { TOOL_TEMPLATES } from '../../../helpers/models/tool-models.ts';
import { announce, runCli } from '../../../helpers/terminal/cli.ts';

const MINUTE = 60_000;
const HOSTILE = join(import.meta.dirname, '../../../helpers/servers/mcp/hostile-server.js');
const ANSWER = 'It is done.';
const SPOKEN = 'Good morning to you!';

/** A model that calls this tool, and then has its answer. */
const caller = (tool: string) =>
  scriptedModel(`<tool_call>\n{"name": "box__${tool}", "arguments": {"text": "hello"}}\n</tool_call>`, {
    chatTemplate: TOOL_TEMPLATES.hermes,
    afterResult: ANSWER,
  });

let daemon: ChatDaemon;
let app: OpenAI;
let changes: string;

beforeAll(async () => {
  daemon = await openDaemonWith({
    looker: await caller('echo'),
    writer: await caller('write'),
    big: await caller('big'),
    flooder: await caller('flood'),
    liner: await caller('line'),
    dier: await caller('die'),
    relay: await scriptedModel(
      '<tool_call>\n{"name": "me__chat", "arguments": {"prompt": "hello", "model": "speaker"}}\n</tool_call>',
      { chatTemplate: TOOL_TEMPLATES.hermes, afterResult: ANSWER },
    ),
    speaker: await scriptedModel(SPOKEN),
  });
  announce(daemon);
  app = daemon.sdk;
  changes = join(daemon.home, 'changed');
  const server = { name: 'box', command: process.execPath, args: [HOSTILE, changes] };
  expect((await daemon.call('POST', '/api/daemon/mcp', { body: server })).status).toBe(201);
  const key = daemon.services.keys.verify(daemon.key).keyId;
  expect((await daemon.call('POST', '/api/daemon/mcp/box/allow', { body: { key } })).status).toBe(200);
}, MINUTE);
afterAll(() => daemon.close());

const tools = [{ type: 'mcp' as const, server_label: 'box' }];
type Request = OpenAI.Responses.ResponseCreateParamsNonStreaming;
const asking = (model: string, more: Partial<Request> = {}): Request => ({
  model,
  input: 'hello',
  tools,
  ...more,
});
const kindsOf = ({ output }: OpenAI.Responses.Response) => output.map(({ type }) => type);
const callsOf = ({ output }: OpenAI.Responses.Response) =>
  output.flatMap((item) => (item.type === 'mcp_call' ? [item.name] : []));
const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => error as InstanceType<typeof OpenAI.APIError>,
  );

describe('a tool of a registered server', { timeout: 2 * MINUTE }, () => {
  test('is listed once and called, and the answer follows', async () => {
    const response = await app.responses.create(asking('looker'));
    expect(kindsOf(response)).toEqual(['mcp_list_tools', 'mcp_call', 'message']);
    expect(response.output_text).toBe(ANSWER);
    const [listed, call] = response.output;
    expect(listed).toMatchObject({
      server_label: 'box',
      tools: expect.arrayContaining([
        {
          name: 'echo',
          description: 'Says it back.',
          input_schema: { type: 'object', properties: { text: { type: 'string' } } },
          annotations: null,
        },
      ]) as unknown,
    });
    expect(call).toMatchObject({
      ...{ server_label: 'box', name: 'echo', status: 'completed', output: 'hello', error: null },
    });
    expect(JSON.parse((call as { arguments: string }).arguments)).toEqual({ text: 'hello' });
    const next = await app.responses.create(asking('looker', { previous_response_id: response.id }));
    expect(kindsOf(next)).not.toContain('mcp_list_tools');
  });

  test('streams its call as the openai package reads it', async () => {
    const events = await collect(await app.responses.create({ ...asking('looker'), stream: true }));
    const names = events.map(({ type }) => type).filter((type) => type.includes('.mcp_'));
    expect(names).toEqual([
      'response.mcp_list_tools.in_progress',
      'response.mcp_list_tools.completed',
      'response.mcp_call.in_progress',
      'response.mcp_call_arguments.delta',
      'response.mcp_call_arguments.done',
      'response.mcp_call.completed',
    ]);
    expect(events.at(-1)?.type).toBe('response.completed');
  });

  test('is on the usage record of its request', async () => {
    const response = await app.responses.create(asking('looker'));
    const path = `/api/usage/requests/${response.id.replace(/^resp_/, 'req_')}`;
    expect((await daemon.call('GET', path)).json()).toMatchObject({
      tool_calls: [{ server: 'box', tool: 'echo', outcome: 'ok' }],
    });
  });

  test('that is not read-only runs only once it was approved', async () => {
    const first = await app.responses.create(
      asking('writer', { tools: [{ ...tools[0]!, require_approval: 'never' }] }),
    );
    expect(kindsOf(first)).toEqual(['mcp_list_tools', 'mcp_approval_request']);
    const request = first.output[1] as OpenAI.Responses.ResponseOutputItem.McpApprovalRequest;
    expect(request).toMatchObject({ server_label: 'box', name: 'write' });
    const decide = (approve: boolean) =>
      app.responses.create(
        asking('writer', {
          previous_response_id: first.id,
          input: [{ type: 'mcp_approval_response', approval_request_id: request.id, approve }],
        }),
      );
    const approved = await decide(true);
    expect(kindsOf(approved)).toEqual(['mcp_call', 'message']);
    expect(approved.output[0]).toMatchObject({ output: 'wrote hello', approval_request_id: request.id });
    const refused = await decide(false);
    expect(kindsOf(refused)).toEqual(['message']);
    const unknown = [
      { type: 'mcp_approval_response' as const, approval_request_id: 'mcpr_x', approve: true },
    ];
    const failed = await failureOf(app.responses.create(asking('writer', { input: unknown })));
    expect([failed?.status, failed?.param]).toEqual([400, 'input[0].approval_request_id']);
  });

  test('asks if the client wants to be asked, and is left out if it is not allowed', async () => {
    const always = [{ ...tools[0]!, require_approval: 'always' as const }];
    expect(kindsOf(await app.responses.create(asking('looker', { tools: always })))).toContain(
      'mcp_approval_request',
    );
    const others = [{ ...tools[0]!, allowed_tools: ['env'] }];
    const response = await app.responses.create(asking('looker', { tools: others }));
    const [listed] = response.output as [OpenAI.Responses.ResponseOutputItem.McpListTools];
    expect(listed.tools.map(({ name }) => name)).toEqual(['env']);
    expect(callsOf(response)).not.toContain('echo');
  });
});

test(
  "a server that is found by its address has the client's label in every item",
  { timeout: 2 * MINUTE },
  async () => {
    const url = `http://127.0.0.1:${daemon.port}/mcp`;
    const self = { name: 'self', url, headers: { authorization: `Bearer ${daemon.key}` } };
    expect((await daemon.call('POST', '/api/daemon/mcp', { body: self })).status).toBe(201);
    const key = daemon.services.keys.verify(daemon.key).keyId;
    await daemon.call('POST', '/api/daemon/mcp/self/allow', { body: { tools: ['chat'], key } });
    const tool = { type: 'mcp' as const, server_label: 'me', server_url: url };
    const first = await app.responses.create(
      asking('relay', { tools: [{ ...tool, require_approval: 'always' }] }),
    );
    const request = first.output[1] as OpenAI.Responses.ResponseOutputItem.McpApprovalRequest;
    expect(request).toMatchObject({ type: 'mcp_approval_request', server_label: 'me', name: 'chat' });
    const approved = await app.responses.create(
      asking('relay', {
        previous_response_id: first.id,
        input: [{ type: 'mcp_approval_response', approval_request_id: request.id, approve: true }],
        tools: [tool],
      }),
    );
    expect(approved.output[0]).toMatchObject({ type: 'mcp_call', server_label: 'me', output: SPOKEN });
  },
);

describe('a server that means harm', { timeout: 2 * MINUTE }, () => {
  test.each([
    ['big', /^x{100000}\n\[2900000 more characters were left out\]$/],
    ['flooder', null],
    ['liner', null],
    ['dier', null],
  ])('harms only its call: %s', async (model, output) => {
    const response = await app.responses.create(asking(model));
    expect([response.status, response.output_text]).toEqual(['completed', ANSWER]);
    const call = response.output.find(({ type }) => type === 'mcp_call');
    if (output) expect((call as { output: string }).output).toMatch(output);
    else
      expect(call).toMatchObject({
        status: 'failed',
        output: null,
        error: expect.stringContaining('box') as string,
      });
  });

  test('cannot answer endlessly over HTTP', async () => {
    const server = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const more = () => response.write('x'.repeat(100_000), () => !response.destroyed && setImmediate(more));
      more();
    }).listen(0, '127.0.0.1');
    onTestFinished(() => void server.closeAllConnections());
    onTestFinished(() => void server.close());
    if (!server.listening) await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
    const reply = await daemon.call('POST', '/api/daemon/mcp', { body: { name: 'endless', url } });
    expect(reply.status).toBeGreaterThanOrEqual(400);
    expect(reply.text).toContain('its answer is larger than 4194304 bytes');
  });

  test('loses a tool that it changes, until the owner allows it again', async () => {
    const before = await app.responses.create(
      asking('looker', { tools: [{ ...tools[0]!, require_approval: 'always' }] }),
    );
    const request = before.output.find(({ type }) => type === 'mcp_approval_request');
    writeFileSync(changes, '');
    const response = await app.responses.create(asking('looker'));
    const [listed] = response.output as [OpenAI.Responses.ResponseOutputItem.McpListTools];
    const names = listed.tools.map(({ name }) => name);
    expect([names.includes('echo'), names.includes('extra'), names.includes('env')]).toEqual([
      false,
      false,
      true,
    ]);
    expect(callsOf(response)).not.toContain('echo');
    const input = [
      { type: 'mcp_approval_response' as const, approval_request_id: request?.id ?? '', approve: true },
    ];
    const late = await app.responses.create(asking('looker', { previous_response_id: before.id, input }));
    expect(callsOf(late)).not.toContain('echo');
    await daemon.call('POST', '/api/daemon/mcp/box/allow', { body: { tools: ['echo'] } });
    expect(callsOf(await app.responses.create(asking('looker')))).toContain('echo');
  });
});

describe('an API key', { timeout: 2 * MINUTE }, () => {
  test('has only the tools that the owner gave it', async () => {
    const { key, id } = daemon.services.keys.create({
      ...{ accountId: 'acct_local', name: 'app', scopes: ['chat'], expiresAt: null },
    });
    const other = new OpenAI({ apiKey: key, baseURL: daemon.baseURL, maxRetries: 0 });
    const refused = await failureOf(other.responses.create(asking('looker')));
    expect([refused?.status, refused?.message]).toEqual([
      404,
      expect.stringContaining('can be used with this key'),
    ]);
    const askd = (...args: string[]) => runCli(args, { home: daemon.home });
    expect((await askd('mcp', 'allow', 'box', 'echo', '--key', id)).stdout).toBe(
      `${id} may use these tools of box: echo\n`,
    );
    expect((await askd('mcp', 'show', 'box')).stdout).toContain(`for a key    ${id}: echo`);
    const response = await other.responses.create(asking('looker'));
    const [listed] = response.output as [OpenAI.Responses.ResponseOutputItem.McpListTools];
    expect(listed.tools.map(({ name }) => name)).toEqual(['echo']);
    expect(response.output_text).toBe(ANSWER);
    expect(kindsOf(await other.responses.create(asking('writer')))).not.toContain('mcp_approval_request');
    expect((await askd('mcp', 'allow', 'box', '--free', '--key', id)).stderr).toContain('only --never');
    expect((await askd('mcp', 'allow', 'box', 'echo', '--never', '--key', id)).stdout).toBe(
      `${id} may use no tools of box.\n`,
    );
    expect((await failureOf(other.responses.create(asking('looker'))))?.status).toBe(404);
  });

  test.each([
    [{ server_label: 'other' }, 'tools[0].server_label', 'askd mcp add other'],
    [
      { server_label: 'x', server_url: 'http://169.254.169.254/mcp' },
      'tools[0].server_url',
      'askd calls no others',
    ],
    [
      { server_label: 'x', server_url: 'https://mcp.example.com/mcp' },
      'tools[0].server_url',
      '--url https://mcp',
    ],
    [{}, 'tools[0].server_label', 'server_label'],
  ])('cannot name a server that is not registered: %j', async (tool, param, message) => {
    const body = { model: 'looker', input: 'hello', tools: [{ type: 'mcp', ...tool }] };
    const reply = await daemon.call('POST', '/v1/responses', { token: daemon.key, body });
    expect([reply.status, reply.json()]).toMatchObject([
      400,
      { error: { param, message: expect.stringContaining(message) as string } },
    ]);
  });
});
