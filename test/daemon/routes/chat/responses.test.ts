import type OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { collect, hello, openDaemonWith, type ChatDaemon } from '../../../helpers/daemon/chat.ts';
import { pictureUrl } from '../../../helpers/models/image-files.ts';
import { endlessModel, randomModel, scriptedModel, visionModel } from '../../../helpers/models/models.ts';

const TEXT = 'Grüße, 世界! 😀 This is what I say.';

const parameters = {
  type: 'object',
  properties: { city: { enum: ['Paris'] } },
  required: ['city'],
  additionalProperties: false,
};
const weather = { type: 'function' as const, name: 'get_weather', parameters, strict: true };

/** Several models are loaded, each for the first time. */
vi.setConfig({ testTimeout: 90_000 });

let daemon: ChatDaemon;

beforeAll(async () => {
  daemon = await openDaemonWith({
    m: await scriptedModel(TEXT),
    endless: await endlessModel(),
    random: await randomModel('qwen2'),
  });
  const { path, projector } = await visionModel();
  await daemon.services.library.importArtifact({ id: 'eyes', path, projector, mode: 'link' });
}, 60_000);
afterAll(() => daemon.close());

const respond = (body: Record<string, unknown>) =>
  daemon.call('POST', '/v1/responses', { token: daemon.key, body: { model: 'm', input: 'hello', ...body } });

describe('the official client', () => {
  test('gets an answer with its usage', async () => {
    const answer = await daemon.sdk.responses.create({
      model: 'm',
      input: 'hello',
      instructions: 'Be kind.',
    });
    expect(answer).toMatchObject({
      object: 'response',
      status: 'completed',
      error: null,
      output_text: TEXT,
      store: true,
      output: [
        { type: 'message', role: 'assistant', status: 'completed', content: [{ type: 'output_text' }] },
      ],
    });
    const { usage } = answer;
    expect(usage?.total_tokens).toBe((usage?.input_tokens ?? 0) + (usage?.output_tokens ?? 0));
    const rows = daemon.services.store.prepare('SELECT prompt_tokens, completion_tokens FROM usage').all();
    expect(rows.at(-1)).toEqual({
      prompt_tokens: usage?.input_tokens,
      completion_tokens: usage?.output_tokens,
    });
  });

  test('sees the events of a stream in their order, each with its number', async () => {
    const events = await collect(
      await daemon.sdk.responses.create({ model: 'm', input: 'hello', stream: true }),
    );
    const types = events.map(({ type }) => type).filter((type, index, all) => type !== all[index - 1]);
    expect(types).toEqual([
      ...['response.created', 'response.in_progress', 'response.output_item.added'],
      ...['response.content_part.added', 'response.output_text.delta', 'response.output_text.done'],
      ...['response.content_part.done', 'response.output_item.done', 'response.completed'],
    ]);
    expect(events.map((event) => event.sequence_number)).toEqual(events.map((_, index) => index));
    const text = events
      .map((event) => (event.type === 'response.output_text.delta' ? event.delta : ''))
      .join('');
    expect(text).toBe(TEXT);
    const last = events.at(-1);
    expect(last?.type === 'response.completed' && last.response.output[0]).toMatchObject({
      type: 'message',
      content: [{ text: TEXT }],
    });
  });

  test('has a tool called and gives its result, whole and as a stream', async () => {
    const body = {
      model: 'random',
      input: 'hello',
      tools: [weather],
      tool_choice: { type: 'function' as const, name: 'get_weather' },
    };
    const whole = await daemon.sdk.responses.create(body);
    const streamed = await daemon.sdk.responses.stream(body).finalResponse();
    const call: object = {
      type: 'function_call',
      name: 'get_weather',
      call_id: expect.stringMatching(/^call_/) as string,
      status: 'completed',
    };
    for (const { output } of [whole, streamed]) {
      expect(output).toMatchObject([call]);
      const [made] = output;
      expect(made?.type === 'function_call' && (JSON.parse(made.arguments) as unknown)).toEqual({
        city: 'Paris',
      });
    }
    const [made] = whole.output;
    if (made?.type !== 'function_call') throw new Error('no call');
    const answer = await daemon.sdk.responses.create({
      model: 'random',
      max_output_tokens: 4,
      tools: [weather],
      tool_choice: 'none',
      input: [
        { role: 'user', content: 'hello' },
        ...(whole.output as OpenAI.Responses.ResponseInput),
        { type: 'function_call_output', call_id: made.call_id, output: 'sunny' },
      ],
    });
    expect(answer.usage?.output_tokens).toBeGreaterThan(0);
  });

  test('gets an answer that is bound to a schema', async () => {
    const schema = {
      type: 'object',
      properties: { mood: { enum: ['good'] }, hot: { type: 'boolean' } },
      required: ['mood', 'hot'],
      additionalProperties: false,
    };
    const answer = await daemon.sdk.responses.create({
      model: 'random',
      input: 'hello',
      text: { format: { type: 'json_schema', name: 'weather', schema, strict: true } },
    });
    expect(JSON.parse(answer.output_text)).toEqual({ mood: 'good', hot: expect.any(Boolean) as boolean });
  });

  test('asks for encrypted reasoning, and sends it back', async () => {
    const answer = await daemon.sdk.responses.create({
      model: 'm',
      include: ['reasoning.encrypted_content'],
      store: false,
      text: { verbosity: 'medium' },
      input: [
        { role: 'user', content: 'hello' },
        { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: null },
        ...hello,
      ],
    });
    expect(answer.output_text).toBe(TEXT);
  });

  test('learns how long a prompt is', async () => {
    const body = { model: 'm', input: 'hello', instructions: 'Be kind.' };
    const counted = await daemon.sdk.responses.inputTokens.count(body);
    const { usage } = await daemon.sdk.responses.create(body);
    expect(counted).toEqual({ object: 'response.input_tokens', input_tokens: usage?.input_tokens });
  });

  test('shows an image', async () => {
    const image = {
      type: 'input_image' as const,
      image_url: await pictureUrl('red'),
      detail: 'auto' as const,
    };
    const ask = (more: OpenAI.Responses.ResponseInputImage[]) =>
      daemon.sdk.responses.create({
        model: 'eyes',
        max_output_tokens: 3,
        input: [{ role: 'user', content: [{ type: 'input_text', text: 'What is it?' }, ...more] }],
      });
    const [plain, seen] = [await ask([]), await ask([image])];
    expect(seen.usage?.input_tokens).toBeGreaterThan(plain.usage?.input_tokens ?? Infinity);
  });
});

test('an answer that reached its length is incomplete, and says why', async () => {
  const expected = {
    status: 'incomplete',
    incomplete_details: { reason: 'max_output_tokens' },
    output: [{ status: 'incomplete' }],
    usage: { output_tokens: 3 },
  };
  expect((await respond({ model: 'endless', max_output_tokens: 3 })).json()).toMatchObject(expected);
  const { text } = await respond({ model: 'endless', max_output_tokens: 3, stream: true });
  expect(text).toMatch(/event: response\.incomplete\ndata: .*"max_output_tokens"/);
});

test('an answer in the background is refused with what to do instead', async () => {
  const reply = await respond({ background: true });
  const message: unknown = expect.stringContaining('stream');
  expect([reply.status, reply.json()]).toMatchObject([
    400,
    { error: { code: 'unsupported_parameter', param: 'background', message } },
  ]);
});

test.each([
  [{ input: [{ role: 'user' }] }, 'missing_required_parameter', 'input[0].content'],
  [
    { input: [{ type: 'function_call_output', call_id: 'x', output: 'y' }] },
    'invalid_value',
    'input[0].call_id',
  ],
  [{ tool_choice: 'required' }, 'invalid_value', 'tool_choice'],
  [
    { text: { format: { type: 'json_schema', name: 'x' } } },
    'missing_required_parameter',
    'text.format.schema',
  ],
])('what is missing or does not fit is named: %j', async (change, code, param) => {
  expect((await respond(change)).json()).toMatchObject({ error: { code, param } });
});
