import { expect, test } from 'vitest';
import { startDaemon } from '../../helpers/daemon/daemon.ts';

type Refusal = { error: { code: string; param: string | null; message: string } };

const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

test('an endlessly nested body is refused as such, and so is a schema', async () => {
  const { call, key } = await startDaemon();
  const messages = '[{"role":"user","content":"hi"}]';
  const bodies = [
    `{"model":"svc-chat-v1","messages":${nested(50_000)}}`,
    `{"model":"svc-chat-v1","messages":${messages},"response_format":{"type":"json_schema","json_schema":{"name":"x","schema":{"enum":${nested(50_000)}}}}}`,
  ];
  for (const body of bodies) {
    const reply = await call('POST', '/v1/chat/completions', { token: key, body });
    expect([reply.status, reply.json<Refusal>().error.message]).toEqual([
      400,
      'The body is nested more than 200 levels deep.',
    ]);
  }
});

test('a body that is not JSON is refused by its type, and the answer says what to send', async () => {
  const { call, key } = await startDaemon();
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/xml', '']) {
    const headers = { 'content-type': type };
    const reply = await call('POST', '/v1/moderate', { token: key, body: '{"input":"a"}', headers });
    expect([type, reply.status, reply.json<Refusal>().error]).toMatchObject([
      type,
      415,
      { code: 'unsupported_media_type', message: expect.stringContaining('application/json') },
    ]);
  }
});

test('a value of a wrong type is answered with the allowed types', async () => {
  const { call, key } = await startDaemon();
  const reply = await call('POST', '/v1/moderate', { token: key, body: { input: 5 } });
  expect(reply.json<Refusal>().error).toMatchObject({
    code: 'invalid_value',
    param: 'input',
    message: '"input" must be string or array.',
  });
});

test('null counts as not set', async () => {
  const { call, key } = await startDaemon();
  const body = { model: null, input: 'hello' };
  expect((await call('POST', '/v1/moderate', { token: key, body })).status).toBe(200);
});
