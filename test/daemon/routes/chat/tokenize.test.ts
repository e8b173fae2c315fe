import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDaemonWith, type ChatDaemon } from '../../../helpers/daemon/chat.ts';
import { randomModel } from '../../../helpers/models/models.ts';
import { onnxEmbedder } from '../../../helpers/models/text-models.ts';

let daemon: ChatDaemon;

beforeAll(async () => {
  daemon = await openDaemonWith({ m: await randomModel('qwen2'), vectors: await onnxEmbedder() });
});
afterAll(() => daemon.close());

const post = (path: string, body: object) =>
  daemon.call('POST', path, { token: daemon.key, body: { model: 'm', ...body } });

/** Tokens of this model are the bytes of a text. */
const bytes = (text: string) => [...Buffer.from(text)];

test.each(['/v1', ''])('a text is tokenized and detokenized at %s/tokenize', async (root) => {
  const text = 'Grüße, 世界!';
  const cut = await post(`${root}/tokenize`, { content: text });
  expect([cut.status, cut.json()]).toEqual([200, { tokens: bytes(text), count: bytes(text).length }]);
  const whole = await post(`${root}/detokenize`, { tokens: bytes(text) });
  expect([whole.status, whole.json()]).toEqual([200, { content: text, prompt: text }]);
});

test('with pieces, a token has its text, or its bytes if these are part of a character', async () => {
  const { tokens } = (await post('/v1/tokenize', { content: 'aü', with_pieces: true })).json<{
    tokens: object[];
  }>();
  expect(tokens).toEqual([
    { id: 97, piece: 'a' },
    { id: 195, piece: [195] },
    { id: 188, piece: [188] },
  ]);
});

test("control tokens are parsed on request, as llama-server's clients expect", async () => {
  const control = { content: '<|im_end|>' };
  const read = (await post('/tokenize', control)).json<{ count: number }>();
  const plain = (await post('/tokenize', { ...control, parse_special: false })).json<{ count: number }>();
  expect([read.count, plain.count]).toEqual([1, 10]);
});

test('nothing is charged', async () => {
  const before = daemon.services.store.prepare('SELECT count(*) AS rows FROM usage').get();
  await post('/v1/tokenize', { prompt: 'Hello', return_token_strs: true });
  expect(daemon.services.store.prepare('SELECT count(*) AS rows FROM usage').get()).toEqual(before);
});

test.each([
  ['/v1/tokenize', {}, 'missing_required_parameter', 'content'],
  ['/v1/tokenize', { content: 'a', prompt: 'b' }, 'invalid_value', 'prompt'],
  ['/v1/tokenize', { content: 'a'.repeat(1_000_001) }, 'invalid_value', 'content'],
  ['/v1/detokenize', { tokens: [999_999] }, 'invalid_value', 'tokens[0]'],
  ['/v1/tokenize', { content: 'a', model: 'vectors' }, 'model_capability_mismatch', 'model'],
])('%s refuses %j', async (path, body, code, param) => {
  const reply = await post(path, body);
  expect([reply.status, reply.json()]).toMatchObject([400, { error: { code, param } }]);
});
