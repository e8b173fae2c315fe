import Anthropic from '@anthropic-ai/sdk';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { Failure } from '../../../../src/base/errors.ts';
import { daemonWith, hello, openDaemonWith, type ChatDaemon } from '../../../helpers/daemon/chat.ts';
import { scriptedModel } from '../../../helpers/models/models.ts';

let daemon: ChatDaemon;

beforeAll(async () => {
  daemon = await openDaemonWith({ m: await scriptedModel('Any answer.') });
});
afterAll(() => daemon.close());

const say = (body: Record<string, unknown>) =>
  daemon.call('POST', '/v1/messages', {
    token: daemon.key,
    body: { model: 'm', max_tokens: 100, messages: hello, ...body },
  });

describe('a refusal in the shape of this API', () => {
  test.each([
    [{ max_tokens: undefined }, 'missing_required_parameter', 'max_tokens'],
    [{ top_k: -2 }, 'invalid_value', 'top_k'],
    [{ temperature: 1.5 }, 'invalid_value', 'temperature'],
    [
      {
        messages: [
          ...hello,
          { role: 'assistant', content: [{ type: 'tool_use', id: 'x', name: 'y', input: {} }] },
        ],
      },
      'invalid_value',
      'messages[1].content',
    ],
    [{ messages: [{ role: 'user', content: [] }] }, 'invalid_value', 'messages'],
    [{ mcp_servers: [{ type: 'url', name: 'x', url: 'https://x' }] }, 'invalid_value', 'mcp_servers[0].url'],
    [
      {
        messages: [
          { role: 'user', content: [{ type: 'document', source: { type: 'url', url: 'https://x/y.pdf' } }] },
        ],
      },
      'invalid_value',
      'messages[0].content[0].source.url',
    ],
    [
      { messages: [{ role: 'user', content: [{ type: 'hologram' }] }] },
      'invalid_value',
      'messages[0].content[0].type',
    ],
    [{ stop: ['x'] }, 'unsupported_parameter', 'stop'],
    [{ compaction: { type: 'summarize' } }, 'unsupported_parameter', 'compaction'],
    [{ tool_choice: { type: 'any' } }, 'invalid_value', 'tool_choice'],
    [
      { messages: [{ role: 'user', content: [{ type: 'tool_result', tool_use_id: 'x' }] }] },
      'invalid_value',
      'messages[0].content[0].tool_use_id',
    ],
    [
      { messages: [{ role: 'user', content: [{ type: 'tool_use', id: 'x', name: 'y', input: {} }] }] },
      'invalid_value',
      'messages[0].content[0].type',
    ],
    [{ thinking: { type: 'enabled' } }, 'missing_required_parameter', 'thinking.budget_tokens'],
  ])('%j', async (change, code, param) => {
    const reply = await say(change);
    expect([reply.status, reply.json()]).toMatchObject([
      400,
      {
        type: 'error',
        error: { type: 'invalid_request_error', code, param },
        request_id: expect.stringMatching(/^req_/) as string,
      },
    ]);
  });

  test('what can be tried again in a moment is overloaded, and says when', async () => {
    const { services } = daemon;
    const queueFull = new Failure('queue_full', 'Too many wait.');
    const complete = vi.spyOn(services.chat, 'complete').mockImplementation(() => {
      throw queueFull;
    });
    onTestFinished(() => complete.mockRestore());
    const reply = await say({});
    expect([reply.status, reply.headers['retry-after'], reply.json()]).toMatchObject([
      529,
      '2',
      { type: 'error', error: { type: 'overloaded_error', code: 'queue_full' } },
    ]);
    const client = new Anthropic({
      apiKey: daemon.key,
      baseURL: `http://127.0.0.1:${daemon.port}`,
      maxRetries: 0,
    });
    await expect(
      client.messages.create({ model: 'm', max_tokens: 1, messages: hello }),
    ).rejects.toMatchObject({ status: 529, type: 'overloaded_error' });
  });

  test('with strict_parameters, what would be left out is refused', async () => {
    const strict = await daemonWith(
      { m: await scriptedModel('Any answer.') },
      { ASKD_STRICT_PARAMETERS: 'on' },
    );
    const tools = [{ type: 'web_search_20250305', name: 'web_search' }];
    const body = { model: 'm', max_tokens: 5, messages: hello, tools };
    const reply = await strict.call('POST', '/v1/messages', { token: strict.key, body });
    expect([reply.status, reply.json()]).toMatchObject([
      400,
      { error: { code: 'unsupported_parameter', param: 'tools[0]' } },
    ]);
  });

  test('a key may come as x-api-key; another version of the API is named', async () => {
    const body = { model: 'm', max_tokens: 5, messages: hello };
    const ask = (headers: Record<string, string>) =>
      daemon.call('POST', '/v1/messages', { token: null, body, headers });
    expect((await ask({ 'x-api-key': daemon.key, 'anthropic-version': '2023-06-01' })).status).toBe(200);
    const later = await ask({ 'x-api-key': daemon.key, 'anthropic-version': '2031-01-01' });
    expect([later.status, later.headers['x-askd-ignored']]).toEqual([200, 'anthropic-version']);
    expect((await ask({})).json()).toMatchObject({ type: 'error', error: { type: 'authentication_error' } });
  });
});
