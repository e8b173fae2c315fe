import { join } from 'node:path';
import { createAnthropic } from '@ai-sdk/anthropic';
import Anthropic from '@anthropic-ai/sdk';
import { generateText, streamText } from 'ai';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { hello, openDaemonWith, type ChatDaemon } from '../../../helpers/daemon/chat.ts';
import { scriptedModel } from '../../../helpers/models/models.ts';
import { WEATHER_ANSWER, WEATHER_CALL, weatherModel } from '../../../helpers/models/tool-models.ts';

const HOSTILE = join(import.meta.dirname, '../../../helpers/servers/mcp/hostile-server.js');
const SPOKEN = 'Good morning to you!';
const CHAT =
  '<tool_call>\n{"name": "me__chat", "arguments": {"prompt": "hello", "model": "speaker"}}\n</tool_call>';
const ECHO = '<tool_call>\n{"name": "box__echo", "arguments": {"text": "hello"}}\n</tool_call>';

vi.setConfig({ testTimeout: 120_000 });

let daemon: ChatDaemon;
let address: string;

beforeAll(async () => {
  daemon = await openDaemonWith({
    speaker: await scriptedModel(SPOKEN),
    chats: await weatherModel({ says: CHAT }),
    both: await weatherModel({ says: `${ECHO}\n${WEATHER_CALL}` }),
  });
  const key = daemon.services.keys.verify(daemon.key).keyId;
  address = `http://127.0.0.1:${daemon.port}/mcp`;
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

test('a turn may have calls of both kinds, and continues when the client has the result of its own', async () => {
  const baseURL = `http://127.0.0.1:${daemon.port}`;
  const client = new Anthropic({ apiKey: daemon.key, baseURL, maxRetries: 0, timeout: 60_000 });
  const request = {
    ...{ model: 'both', max_tokens: 200, betas: ['mcp-client-2025-11-20' as const] },
    tools: [
      { name: 'get_weather', input_schema: { type: 'object' as const } },
      { type: 'mcp_toolset' as const, mcp_server_name: 'box' },
    ],
  };
  const first = await client.beta.messages.create({ ...request, messages: hello });
  const kinds = first.content.map(({ type }) => type);
  expect(new Set(kinds)).toEqual(new Set(['tool_use', 'mcp_tool_use', 'mcp_tool_result']));
  expect(first.stop_reason).toBe('tool_use');
  const call = first.content.find(({ type }) => type === 'tool_use') as { id: string };
  const result = { type: 'tool_result' as const, tool_use_id: call.id, content: 'sunny' };
  const next = await client.beta.messages.create({
    ...request,
    messages: [...hello, { role: 'assistant', content: first.content }, { role: 'user', content: [result] }],
  });
  expect(next.content).toMatchObject([{ type: 'text', text: WEATHER_ANSWER }]);
});

test('the AI SDK reads a call and its result, whole and as a stream', async () => {
  const model = createAnthropic({ apiKey: daemon.key, baseURL: daemon.baseURL })('chats');
  const server = { type: 'url' as const, name: 'me', url: address };
  const mcpServers = [{ ...server, toolConfiguration: { allowedTools: ['chat'] } }];
  const body = { model, maxOutputTokens: 200, providerOptions: { anthropic: { mcpServers } } };
  const whole = await generateText({ ...body, prompt: 'hello' });
  const stream = streamText({ ...body, prompt: 'hello' });
  await stream.consumeStream();
  for (const answer of [whole, stream]) {
    expect(await answer.text).toBe(WEATHER_ANSWER);
    expect(await answer.toolResults).toMatchObject([
      { toolName: 'chat', output: [{ type: 'text', text: SPOKEN }] },
    ]);
  }
});
