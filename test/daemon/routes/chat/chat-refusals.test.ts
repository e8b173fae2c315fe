import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hello, openDaemonWith, type ChatDaemon } from '../../../helpers/daemon/chat.ts';
import { scriptedModel } from '../../../helpers/models/models.ts';

const schema = (value: object) => ({ type: 'json_schema', json_schema: { name: 's', schema: value } });
const tool = (name: string, more: object = {}) => ({ type: 'function', function: { name, ...more } });
const named = (name: string) => ({ type: 'function', function: { name } });

describe('a request that cannot be served', () => {
  let daemon: ChatDaemon;

  beforeAll(async () => {
    daemon = await openDaemonWith(
      { m: await scriptedModel('Any answer.') },
      { ASKD_MODEL_CONTEXT_TOKENS: '128' },
    );
  });
  afterAll(() => daemon.close());

  test.each([
    [{ temperature: 2.1 }, 'invalid_value', 'temperature'],
    [{ temperature: '1' }, 'invalid_value', 'temperature'],
    [{ top_p: -0.1 }, 'invalid_value', 'top_p'],
    [{ top_p: 1.1 }, 'invalid_value', 'top_p'],
    [{ presence_penalty: 2.5 }, 'invalid_value', 'presence_penalty'],
    [{ frequency_penalty: -2.5 }, 'invalid_value', 'frequency_penalty'],
    [{ max_tokens: 0 }, 'invalid_value', 'max_tokens'],
    [{ max_tokens: 1.5 }, 'invalid_value', 'max_tokens'],
    [{ stop: Array(65).fill('x') }, 'invalid_value', 'stop'],
    [{ stop: [''] }, 'invalid_value', 'stop[0]'],
    [{ messages: [] }, 'invalid_value', 'messages'],
    [{ messages: undefined }, 'missing_required_parameter', 'messages'],
    [{ messages: [{ role: 'robot', content: 'x' }] }, 'invalid_value', 'messages[0].role'],
    [{ messages: [{ role: 'user' }] }, 'missing_required_parameter', 'messages[0].content'],
    [{ messages: Array(2049).fill(hello[0]) }, 'invalid_value', 'messages'],
    [{ n: 5 }, 'invalid_value', 'n'],
    [{ logit_bias: { 1: 101 } }, 'invalid_value', 'logit_bias[1]'],
    [{ logit_bias: { 99999: 1 } }, 'invalid_value', 'logit_bias[99999]'],
    [{ logit_bias: { cat: 1 } }, 'invalid_value', 'logit_bias[cat]'],
    [{ top_logprobs: 2 }, 'invalid_value', 'top_logprobs'],
    [{ logprobs: true, top_logprobs: 21 }, 'invalid_value', 'top_logprobs'],
    [{ logprobs: true, response_format: { type: 'json_object' } }, 'unsupported_parameter', 'logprobs'],
    [{ response_format: { type: 'sound' } }, 'invalid_value', 'response_format.type'],
    [
      { response_format: { type: 'json_schema' } },
      'missing_required_parameter',
      'response_format.json_schema',
    ],
    [
      { response_format: schema({ type: 'object', minContains: 2 }) },
      'unsupported_schema',
      'response_format',
    ],
    [{ response_format: schema({ type: 'thing' }), stream: true }, 'unsupported_schema', 'response_format'],
    [{ response_format: schema({ $ref: '#' }) }, 'unsupported_schema', 'response_format'],
    [{ tool_choice: 'required' }, 'invalid_value', 'tool_choice'],
    [{ tools: [tool('a'), tool('a')] }, 'invalid_value', 'tools[1].function.name'],
    [{ tools: [tool('a b')] }, 'invalid_value', 'tools[0].function.name'],
    [{ tools: [tool('a')], tool_choice: named('b') }, 'invalid_value', 'tool_choice.function.name'],
    [
      { tools: [tool('a', { strict: true, parameters: { type: 'object', minProperties: 3 } })] },
      'unsupported_schema',
      'tools[0].function.parameters',
    ],
    [{ reasoning_effort: 'heroic' }, 'invalid_value', 'reasoning_effort'],
    [
      { messages: [{ role: 'tool', content: 'x' }] },
      'missing_required_parameter',
      'messages[0].tool_call_id',
    ],
    [
      { messages: [{ role: 'tool', content: 'x', tool_call_id: 'call_1' }] },
      'invalid_value',
      'messages[0].tool_call_id',
    ],
    [
      { messages: [{ role: 'user', content: 'x', reasoning_content: 'y' }] },
      'invalid_value',
      'messages[0].reasoning_content',
    ],
    [{ messages: [{ role: 'assistant' }] }, 'missing_required_parameter', 'messages[0].content'],
    [{ stream_options: { include_usage: true } }, 'invalid_value', 'stream_options'],
    [{ max_tokens: 1, max_completion_tokens: 1 }, 'invalid_value', 'max_tokens'],
    [{ model: 'svc-chat-v1', max_tokens: 8193 }, 'invalid_value', 'max_tokens'],
    [{ model: 'svc-embed-v1' }, 'model_capability_mismatch', 'model'],
  ])('%j is refused with %s for %s', async (body, code, param) => {
    const { chat } = daemon;
    const reply = await chat(body);
    expect([reply.status, reply.json()]).toMatchObject([
      400,
      { error: { type: 'invalid_request_error', code, param } },
    ]);
  });

  test('for an unknown or missing model is a 404 with the fix', async () => {
    const { chat } = daemon;
    const unknown = await chat({ model: 'nobody' });
    expect([unknown.status, unknown.json()]).toMatchObject([
      404,
      { error: { code: 'model_not_found', param: 'model' } },
    ]);
    const missing = await chat({ model: 'svc-vision-v1' });
    expect([missing.status, missing.json()]).toMatchObject([404, { error: { code: 'model_not_installed' } }]);
    expect(missing.text).toMatch(
      /is not installed \(\d.*[MG]B to download\)\. Install it: askd pull svc-vision-v1"/,
    );
  });

  test('for its length is a 400 with both token counts, also as a stream', async () => {
    const { chat } = daemon;
    const messages = [{ role: 'user', content: 'x'.repeat(200) }];
    for (const stream of [false, true]) {
      const reply = await chat({ messages, stream });
      expect(reply.status).toBe(400);
      expect(reply.headers['content-type']).toContain('application/json');
      const { error } = reply.json<{ error: Record<string, unknown> }>();
      expect(error).toMatchObject({ code: 'context_length_exceeded', param: 'messages', n_ctx: 128 });
      expect(error['n_prompt_tokens']).toBeGreaterThan(200);
    }
  });

  test('is not one with parameters that have no effect or are null', async () => {
    const { chat } = daemon;
    const noted = {
      user: 'u',
      metadata: { a: 1 },
      store: false,
      service_tier: 'auto',
      safety_identifier: 's',
      prompt_cache_key: 'k',
    };
    const reply = await chat({
      ...noted,
      n: 1,
      logprobs: false,
      response_format: { type: 'text' },
      stop: null,
      tools: null,
    });
    expect(reply.status).toBe(200);
  });
});
