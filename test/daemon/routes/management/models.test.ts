import { Value } from 'typebox/value';
import { expect, test } from 'vitest';
import { Model, ModelList } from '../../../../src/api/management/models.ts';
import { startDaemon } from '../../../helpers/daemon/daemon.ts';

const SERVICES = [
  'chat',
  'vision',
  'code',
  'embed',
  'moderation',
  'rerank',
  'whisper',
  'stt',
  'tts',
  'image',
  'translate',
];

test('the list has the eleven service models, is cacheable and needs no key', async () => {
  const { call } = await startDaemon();
  const reply = await call('GET', '/v1/models', { token: null });
  expect(reply.headers['cache-control']).toBe('public, max-age=300');
  const list = reply.json<{ data: { id: string; local: { state: string } }[] }>();
  expect(Value.Check(ModelList, list)).toBe(true);
  expect(list.data.slice(0, 11).map(({ id }) => id)).toEqual(SERVICES.map((name) => `svc-${name}-v1`));
  expect(list.data[0]?.local.state).toBe('ready');
  expect(list.data[1]?.local.state).toBe('not_installed');
});

test('a model is shown by its id, and the starter says what it is and how to get a larger one', async () => {
  const { call, key } = await startDaemon();
  const record = (await call('GET', '/v1/models/svc-chat-v1', { token: key })).json<
    Record<string, unknown>
  >();
  expect(Value.Check(Model, record)).toBe(true);
  expect(record).toMatchObject({
    id: 'svc-chat-v1',
    category: 'chat',
    pricing: { input_price_per_million: 0.1, output_price_per_million: 0.2, currency: 'usd' },
    specifications: { context_window: 128_000, max_output_tokens: 8192 },
    local: {
      artifact: 'starter-chat',
      notice: expect.stringMatching(/starter model.*\w\. A larger one: askd pull svc-chat-v1/),
    },
  });
});

test('a chat model calls functions once something serves it', async () => {
  const { call, key } = await startDaemon();
  const callsFunctions = async (id: string) => {
    const reply = await call('GET', `/v1/models/${id}`, { token: key });
    return reply.json<Model>().capabilities['function_calling'];
  };
  expect(await callsFunctions('svc-chat-v1')).toBe(true);
  expect(await callsFunctions('starter-chat')).toBe(true);
  expect(await callsFunctions('svc-vision-v1')).toBe(false);
  expect(await callsFunctions('svc-embed-v1')).toBeUndefined();
});
