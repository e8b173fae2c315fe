import { createOpenAI } from '@ai-sdk/openai';
import { generateText, jsonSchema, stepCountIs, tool } from 'ai';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ACCOUNT_ID } from '../../../../daemon/auth/account.ts';
import { daemonWith, openDaemonWith, type ChatDaemon } from '../../../helpers/daemon/chat.ts';
import { scriptedModel } from '../../../helpers/models/models.ts';
import { WEATHER_ANSWER, weatherModel } from '../../../helpers/models/tool-models.ts';

const TEXT = 'I remember all of it.';
let daemon: ChatDaemon;

beforeAll(async () => {
  daemon = await openDaemonWith({ m: await scriptedModel(TEXT), weather: await weatherModel() });
});
afterAll(() => daemon.close());

const respond = (body: Record<string, unknown>, { key = daemon.key } = {}) =>
  daemon.call('POST', '/v1/responses', { token: key, body: { model: 'm', input: 'hello', ...body } });

/** The prompt tokens that the model received for an answer. */
const tokensOf = async (body: Record<string, unknown>) =>
  (await respond({ ...body, store: false })).json<{ usage: { input_tokens: number } }>().usage.input_tokens;

describe('an answer that is stored', () => {
  test('can be retrieved with its input, until it is deleted', async () => {
    const { responses } = daemon.sdk;
    const made = await responses.create({ model: 'm', input: 'hello', metadata: { topic: 'x' } });
    expect(await responses.retrieve(made.id)).toMatchObject({
      id: made.id,
      status: 'completed',
      metadata: { topic: 'x' },
      output: made.output,
    });
    const items = await responses.inputItems.list(made.id);
    expect(items.data).toMatchObject([
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'hello' }] },
    ]);
    await responses.delete(made.id);
    await expect(responses.retrieve(made.id)).rejects.toMatchObject({ status: 404, code: 'not_found' });
  });

  test('is continued: the model is given the whole conversation', async () => {
    const first = (await respond({ input: 'first question' })).json<{ id: string }>();
    const second = (await respond({ input: 'second question', previous_response_id: first.id })).json<{
      id: string;
      previous_response_id: string;
    }>();
    expect(second.previous_response_id).toBe(first.id);
    const said = (role: string, content: string) => ({ role, content });
    const whole = [
      said('user', 'first question'),
      said('assistant', TEXT),
      said('user', 'second question'),
      said('assistant', TEXT),
      said('user', 'third question'),
    ];
    expect(await tokensOf({ input: 'third question', previous_response_id: second.id })).toBe(
      await tokensOf({ input: whole }),
    );
    const { data } = await daemon.sdk.responses.inputItems.list(second.id, { order: 'asc' });
    expect(data).toMatchObject([
      { role: 'user' },
      { role: 'assistant', content: [{ text: TEXT }] },
      { role: 'user', content: [{ text: 'second question' }] },
    ]);
  });

  test('does not repeat instructions that belonged to an earlier answer', async () => {
    const first = (await respond({ instructions: 'Speak like a pirate.' })).json<{ id: string }>();
    const going = await tokensOf({ input: 'again', previous_response_id: first.id });
    const whole = [
      { role: 'user', content: 'hello' },
      { role: 'assistant', content: TEXT },
      { role: 'user', content: 'again' },
    ];
    expect(going).toBe(await tokensOf({ input: whole }));
  });

  test('is also stored from a stream, before its last event', async () => {
    const stream = daemon.sdk.responses.stream({ model: 'm', input: 'hello' });
    const { id } = await stream.finalResponse();
    expect(await daemon.sdk.responses.retrieve(id)).toMatchObject({ id, status: 'completed' });
  });

  test('cannot be cancelled, since it is complete', async () => {
    const { id } = (await respond({})).json<{ id: string }>();
    const reply = await daemon.call('POST', `/v1/responses/${id}/cancel`, { token: daemon.key });
    expect([reply.status, reply.json()]).toMatchObject([
      400,
      { error: { code: 'invalid_value', param: 'id' } },
    ]);
  });

  test('belongs to the key that made it, and to the owner', async () => {
    const { id } = (await respond({})).json<{ id: string }>();
    const { key: other } = daemon.services.keys.create({
      accountId: ACCOUNT_ID,
      name: 'other',
      scopes: ['chat'],
      expiresAt: null,
    });
    const get = (token: string) => daemon.call('GET', `/v1/responses/${id}`, { token });
    expect((await get(other)).status).toBe(404);
    expect((await respond({ previous_response_id: id }, { key: other })).status).toBe(404);
    expect((await get(daemon.services.rootToken.current())).status).toBe(200);
  });

  test('is not stored when its request says so', async () => {
    const { id } = (await respond({ store: false })).json<{ id: string }>();
    expect((await daemon.call('GET', `/v1/responses/${id}`, { token: daemon.key })).status).toBe(404);
    const reply = await respond({ previous_response_id: id });
    expect([reply.status, reply.json()]).toMatchObject([
      404,
      { error: { code: 'not_found', param: 'previous_response_id' } },
    ]);
  });
});

test('the default provider of the AI SDK runs its tools and refers to items by their ids', async () => {
  const openai = createOpenAI({ apiKey: daemon.key, baseURL: daemon.baseURL });
  const asked: unknown[] = [];
  const weather = tool({
    inputSchema: jsonSchema<{ city: string; days: number }>({
      type: 'object',
      properties: { city: { type: 'string' }, days: { type: 'integer' } },
      required: ['city', 'days'],
      additionalProperties: false,
    }),
    execute: (input) => {
      asked.push(input);
      return 'sunny';
    },
  });
  const { text, steps } = await generateText({
    model: openai('weather'),
    prompt: 'What is the weather in Zürich?',
    tools: { get_weather: weather },
    stopWhen: stepCountIs(3),
  });
  expect(asked).toEqual([{ city: 'Zürich', days: 3 }]);
  expect([text, steps.length]).toEqual([WEATHER_ANSWER, 2]);
});

describe('a conversation', () => {
  test('collects the items of requests and answers', async () => {
    const { conversations } = daemon.sdk;
    const { id } = await conversations.create({
      items: [{ type: 'message', role: 'user', content: 'before' }],
      metadata: { topic: 'x' },
    });
    await respond({ conversation: id, input: 'one' });
    const answer = (await respond({ conversation: { id }, input: 'two' })).json<object>();
    expect(answer).toMatchObject({ conversation: { id } });
    const { data } = await conversations.items.list(id, { order: 'asc' });
    const texts = data.map((item) => item.type === 'message' && item.content);
    expect(texts).toMatchObject([
      'before',
      [{ text: 'one' }],
      [{ text: TEXT }],
      [{ text: 'two' }],
      [{ text: TEXT }],
    ]);
    expect(await conversations.retrieve(id)).toMatchObject({ id, metadata: { topic: 'x' } });
  });

  test('can be changed, added to and deleted', async () => {
    const { conversations } = daemon.sdk;
    const { id } = await conversations.create({});
    expect(await conversations.update(id, { metadata: { topic: 'y' } })).toMatchObject({
      metadata: { topic: 'y' },
    });
    const added = await conversations.items.create(id, {
      items: [
        { type: 'message', role: 'user', content: 'a' },
        { type: 'message', role: 'user', content: 'b' },
      ],
    });
    const [first, second] = added.data;
    const ids = [first, second].map((item) => item?.id ?? '');
    expect(await conversations.items.retrieve(ids[0] ?? '', { conversation_id: id })).toMatchObject({
      content: 'a',
    });
    await conversations.items.delete(ids[0] ?? '', { conversation_id: id });
    expect((await conversations.items.list(id)).data.map((item) => item.id)).toEqual([ids[1]]);
    expect(await conversations.delete(id)).toMatchObject({ id, deleted: true });
    await expect(conversations.retrieve(id)).rejects.toMatchObject({ status: 404 });
    expect((await respond({ conversation: id })).status).toBe(404);
  });

  test('is listed page by page', async () => {
    const { conversations } = daemon.sdk;
    const items = ['a', 'b', 'c'].map((content) => ({
      type: 'message' as const,
      role: 'user' as const,
      content,
    }));
    const { id } = await conversations.create({ items });
    const contents: unknown[] = [];
    for await (const item of conversations.items.list(id, { order: 'asc', limit: 2 }))
      contents.push(item.type === 'message' && item.content);
    expect(contents).toEqual(['a', 'b', 'c']);
  });
});

test('when storing is off, what needs it is refused with the command that enables it', async () => {
  const { call, key } = await daemonWith({ m: await scriptedModel(TEXT) }, { ASKD_RESPONSE_STORE: 'off' });
  const ask = (body: object) =>
    call('POST', '/v1/responses', { token: key, body: { model: 'm', input: 'x', ...body } });
  const plain = await ask({ store: true });
  expect([plain.status, plain.headers['x-askd-ignored']]).toEqual([200, 'store']);
  expect(plain.json()).toMatchObject({ store: false });
  for (const [body, param] of [
    [{ previous_response_id: 'resp_1' }, 'previous_response_id'],
    [{ conversation: 'conv_1' }, 'conversation'],
    [{ input: [{ type: 'item_reference', id: 'msg_1' }] }, 'input[0]'],
  ] as const) {
    const reply = await ask(body);
    const message: unknown = expect.stringContaining('askd config set response_store on');
    expect([reply.status, reply.json()]).toMatchObject([400, { error: { param, message } }]);
  }
});
