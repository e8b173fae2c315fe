import Anthropic from '@anthropic-ai/sdk';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { openDaemonWith, type ChatDaemon } from '../../../helpers/daemon/chat.ts';
import { pictureFile } from '../../../helpers/models/image-files.ts';
import { endlessModel, randomModel, scriptedModel, visionModel } from '../../../helpers/models/models.ts';

const TEXT = 'Grüße, 世界! 😀 One STOP two.';
const hello = [{ role: 'user' as const, content: 'hello' }];

const weather: Anthropic.Tool = {
  name: 'get_weather',
  description: 'The weather of a city',
  input_schema: {
    type: 'object',
    properties: { city: { enum: ['Paris'] } },
    required: ['city'],
    additionalProperties: false,
  },
};

/** Several models are loaded, each for the first time. */
vi.setConfig({ testTimeout: 90_000 });

let daemon: ChatDaemon;
let client: Anthropic;

beforeAll(async () => {
  daemon = await openDaemonWith({
    m: await scriptedModel(TEXT),
    endless: await endlessModel(),
    random: await randomModel('qwen2'),
  });
  const { path, projector } = await visionModel();
  await daemon.services.library.importArtifact({ id: 'eyes', path, projector, mode: 'link' });
  client = new Anthropic({
    apiKey: daemon.key,
    baseURL: `http://127.0.0.1:${daemon.port}`,
    maxRetries: 0,
  });
}, 60_000);
afterAll(() => daemon.close());

const say = (body: Record<string, unknown>, headers: Record<string, string> = {}) =>
  daemon.call('POST', '/v1/messages', {
    token: daemon.key,
    body: { model: 'm', max_tokens: 100, messages: hello, ...body },
    headers,
  });

describe('the official client', () => {
  test('gets an answer, and the same as a stream', async () => {
    const body = { model: 'm', max_tokens: 100, system: 'Be kind.', messages: hello };
    const whole = await client.messages.create(body);
    expect(whole).toMatchObject({
      type: 'message',
      role: 'assistant',
      model: 'm',
      content: [{ type: 'text', text: TEXT }],
      stop_reason: 'end_turn',
      stop_sequence: null,
    });
    const streamed = await client.messages.stream(body).finalMessage();
    expect([streamed.content, streamed.stop_reason]).toEqual([whole.content, whole.stop_reason]);
    const all = ({ usage }: Anthropic.Message) =>
      usage.input_tokens + (usage.cache_read_input_tokens ?? 0) + usage.output_tokens;
    expect(all(streamed)).toBe(all(whole));
    const counted = await client.messages.countTokens({ model: 'm', system: 'Be kind.', messages: hello });
    expect(counted.input_tokens).toBe(whole.usage.input_tokens + (whole.usage.cache_read_input_tokens ?? 0));
  });

  test('sees the events of a stream in their order', async () => {
    const types: string[] = [];
    const stream = await client.messages.create({
      model: 'm',
      max_tokens: 100,
      messages: hello,
      stream: true,
    });
    for await (const event of stream) if (types.at(-1) !== event.type) types.push(event.type);
    expect(types).toEqual([
      ...['message_start', 'content_block_start', 'content_block_delta'],
      ...['content_block_stop', 'message_delta', 'message_stop'],
    ]);
    expect((await say({ stream: true })).text).toMatch(
      /^event: message_start\ndata: .*\n\nevent: ping\ndata: /,
    );
  });

  test('has a tool called and gives its result, whole and as a stream', async () => {
    const body = {
      model: 'random',
      max_tokens: 200,
      messages: hello,
      tools: [weather],
      tool_choice: { type: 'tool' as const, name: 'get_weather' },
    };
    const whole = await client.messages.create(body);
    const streamed = await client.messages.stream(body).finalMessage();
    for (const { content, stop_reason: reason } of [whole, streamed]) {
      expect(reason).toBe('tool_use');
      expect(content).toEqual([
        {
          type: 'tool_use',
          id: expect.stringMatching(/^call_/) as string,
          name: 'get_weather',
          input: { city: 'Paris' },
        },
      ]);
    }
    const [call] = whole.content;
    if (call?.type !== 'tool_use') throw new Error('no call');
    const answer = await client.messages.create({
      model: 'random',
      max_tokens: 4,
      tools: [weather],
      tool_choice: { type: 'none' },
      messages: [
        ...hello,
        { role: 'assistant', content: whole.content },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: call.id, content: [{ type: 'text', text: 'sunny' }] },
            { type: 'text', text: 'And now?' },
          ],
        },
      ],
    });
    expect(answer.usage.output_tokens).toBeGreaterThan(0);
  });

  test('gets an answer that is bound to a schema', async () => {
    const schema = {
      type: 'object',
      properties: { mood: { enum: ['good'] } },
      required: ['mood'],
      additionalProperties: false,
    };
    const answer = await client.messages.create({
      model: 'random',
      max_tokens: 100,
      messages: hello,
      output_config: { format: { type: 'json_schema', schema } },
    });
    const [block] = answer.content;
    expect(block?.type === 'text' && (JSON.parse(block.text) as unknown)).toEqual({ mood: 'good' });
  });

  test('shows an image', async () => {
    const data = (await pictureFile('red')).toString('base64');
    const ask = (content: Anthropic.ContentBlockParam[]) =>
      client.messages.create({ model: 'eyes', max_tokens: 3, messages: [{ role: 'user', content }] });
    const text = { type: 'text' as const, text: 'What is it?' };
    const image = {
      type: 'image' as const,
      source: { type: 'base64' as const, media_type: 'image/png' as const, data },
    };
    const [plain, seen] = [await ask([text]), await ask([text, image])];
    const tokens = ({ usage }: Anthropic.Message) =>
      usage.input_tokens + (usage.cache_read_input_tokens ?? 0);
    expect(tokens(seen)).toBeGreaterThan(tokens(plain));
  });

  test('shows an image that a tool gave', async () => {
    const data = (await pictureFile('red')).toString('base64');
    const ask = (result: Anthropic.ToolResultBlockParam['content']) =>
      client.messages.create({
        model: 'eyes',
        max_tokens: 3,
        messages: [
          ...hello,
          { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'look', input: {} }] },
          { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: result ?? '' }] },
        ],
      });
    const source = { type: 'base64' as const, media_type: 'image/png' as const, data };
    const plain = await ask([{ type: 'text', text: 'a picture' }]);
    const seen = await ask([
      { type: 'text', text: 'a picture' },
      { type: 'image', source },
    ]);
    const tokens = ({ usage }: Anthropic.Message) =>
      usage.input_tokens + (usage.cache_read_input_tokens ?? 0);
    expect(tokens(seen)).toBeGreaterThan(tokens(plain) + 20);
  });

  test('may leave the length of the reasoning to the model, and choose among a few levels', async () => {
    const reply = await say({
      top_k: 1,
      thinking: { type: 'adaptive' },
      output_config: { effort: 'max' },
    });
    expect(reply.json()).toMatchObject({ content: [{ type: 'text', text: TEXT }] });
  });

  test('recognises a refusal by its class', async () => {
    await expect(
      client.messages.create({ model: 'nobody', max_tokens: 1, messages: hello }),
    ).rejects.toBeInstanceOf(Anthropic.NotFoundError);
    const unauthorized = new Anthropic({ apiKey: 'ask_wrong', baseURL: client.baseURL, maxRetries: 0 });
    await expect(
      unauthorized.messages.create({ model: 'm', max_tokens: 1, messages: hello }),
    ).rejects.toBeInstanceOf(Anthropic.AuthenticationError);
  });
});

test('an answer says why it ended: at its length, or before which stop text', async () => {
  expect((await say({ model: 'endless', max_tokens: 3 })).json()).toMatchObject({
    stop_reason: 'max_tokens',
    usage: { output_tokens: 3 },
  });
  for (const stream of [false, true]) {
    const reply = await say({ stop_sequences: ['never', ' STOP'], stream });
    expect(reply.text).toContain('"stop_reason":"stop_sequence","stop_sequence":" STOP"');
    expect(reply.text).not.toContain('two');
  }
});

test('it is charged and recorded like any chat', async () => {
  const { services } = daemon;
  const count = () => services.store.prepare<{ n: number }>('SELECT count(*) AS n FROM usage').get()?.n ?? 0;
  const before = count();
  await say({});
  expect(count()).toBe(before + 1);
  await daemon.call('POST', '/v1/messages/count_tokens', {
    token: daemon.key,
    body: { model: 'm', messages: hello },
  });
  expect(count()).toBe(before + 1);
});
