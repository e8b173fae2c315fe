import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Anthropic from '@anthropic-ai/sdk';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { collect, openDaemonWith, type ChatDaemon } from '../../../helpers/daemon/chat.ts';

const SCRIPT = `
rules:
  - when: { message: Hello. }
    answer:
      reasoning: They greet me.
      text: Good morning to you!
      usage: { prompt_tokens: 9, cached_tokens: 4, completion_tokens: 20, reasoning_tokens: 6 }
  - when: { contains: fog, tool_result: true }
    answer: { text: It is sunny. }
  - when: { contains: fog }
    answer: { tool_calls: [{ id: call_1, name: weather, arguments: { city: Bergen } }] }
  - when: { contains: busy }
    answer: { error: { code: queue_full, message: Come back later., retry_after: 3 } }
`;
const says = (content: string) => [{ role: 'user' as const, content }];
const parameters = { type: 'object' as const, properties: { city: { type: 'string' } } };
const tools = [{ type: 'function' as const, function: { name: 'weather', parameters } }];
const UNMATCHED = /The nearest is on line 3: the last message of the user, "Good night\."/;

let daemon: ChatDaemon;
let anthropic: Anthropic;

beforeAll(async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'askd-script-')), 'answers.yaml');
  writeFileSync(file, SCRIPT);
  daemon = await openDaemonWith({}, { ASKD_SCRIPTED_ANSWERS: file, ASKD_OLLAMA_API: 'on' });
  const baseURL = `http://127.0.0.1:${daemon.port}`;
  anthropic = new Anthropic({ apiKey: daemon.key, baseURL, maxRetries: 0, timeout: 60_000 });
});
afterAll(() => daemon.close());

describe('/v1/chat/completions', () => {
  const ask = (content: string) =>
    daemon.sdk.chat.completions.create({ model: 'scripted', messages: says(content), tools });

  test('gives the text, the reasoning and the usage from the file, whole and as a stream', async () => {
    const { choices, usage } = await ask('Hello.');
    expect(choices[0]).toMatchObject({
      finish_reason: 'stop',
      message: { content: 'Good morning to you!', reasoning_content: 'They greet me.' },
    });
    expect(usage).toMatchObject({
      prompt_tokens: 9,
      completion_tokens: 20,
      prompt_tokens_details: { cached_tokens: 4 },
      completion_tokens_details: { reasoning_tokens: 6 },
    });
    const body = { model: 'scripted', messages: says('Hello.'), stream: true as const };
    const chunks = await collect(await daemon.sdk.chat.completions.create(body));
    const texts = chunks.flatMap((chunk) => chunk.choices[0]?.delta.content ?? []);
    expect(texts.join('')).toBe('Good morning to you!');
    expect(texts.length).toBeGreaterThan(1);
  });

  test('calls a tool, and answers its result', async () => {
    const { choices } = await ask('Is there fog?');
    const message = choices[0]!.message;
    const call = { id: 'call_1', function: { name: 'weather', arguments: '{"city":"Bergen"}' } };
    expect(choices[0]).toMatchObject({ finish_reason: 'tool_calls', message: { tool_calls: [call] } });
    const result = { role: 'tool' as const, tool_call_id: 'call_1', content: 'sunny' };
    const messages = [...says('Is there fog?'), message, result];
    const answer = await daemon.sdk.chat.completions.create({ model: 'scripted', messages, tools });
    expect(answer.choices[0]?.message.content).toBe('It is sunny.');
  });

  test('ends where the request says', async () => {
    const body = { model: 'scripted', messages: says('Hello.') };
    const stopped = await daemon.sdk.chat.completions.create({ ...body, stop: ' to' });
    expect(stopped.choices[0]).toMatchObject({ finish_reason: 'stop', message: { content: 'Good morning' } });
    const short = await daemon.sdk.chat.completions.create({ ...body, max_tokens: 4 });
    expect(short.choices[0]).toMatchObject({ finish_reason: 'length', message: { content: 'Good' } });
  });

  test('fails as the file says, also in a stream, and when no rule matches', async () => {
    await expect(ask('Are you busy?')).rejects.toMatchObject({ status: 503, code: 'queue_full' });
    const body = { model: 'scripted', messages: says('busy'), stream: true as const };
    const failure = await daemon.sdk.chat.completions.create(body).then(
      () => undefined,
      (error: { status: number; headers: Headers }) => error,
    );
    expect([failure?.status, failure?.headers.get('retry-after')]).toEqual([503, '3']);
    await expect(ask('Good night.')).rejects.toMatchObject({
      status: 400,
      code: 'answer_not_scripted',
      message: expect.stringMatching(UNMATCHED) as string,
    });
  });

  test('works for a service that the model is bound to', async () => {
    const bound = await daemon.call('POST', '/api/daemon/bind', {
      body: { service: 'svc-chat-v1', artifact: 'scripted' },
    });
    expect(bound.status).toBeLessThan(300);
    const body = { model: 'svc-chat-v1', messages: says('Hello.') };
    expect((await daemon.sdk.chat.completions.create(body)).choices[0]?.message.content).toMatch(/^Good/);
  });
});

describe('/v1/responses', () => {
  test('gives text and tool calls, whole and as a stream', async () => {
    const body = { model: 'scripted', input: 'Hello.' };
    const whole = await daemon.sdk.responses.create(body);
    expect(whole.output_text).toBe('Good morning to you!');
    expect(whole.usage).toMatchObject({ input_tokens: 9, output_tokens: 20 });
    const events = await collect(await daemon.sdk.responses.create({ ...body, stream: true }));
    const deltas = events.flatMap((event) =>
      event.type === 'response.output_text.delta' ? event.delta : [],
    );
    expect(deltas.join('')).toBe('Good morning to you!');
    const called = await daemon.sdk.responses.create({
      model: 'scripted',
      input: 'fog',
      tools: [{ type: 'function', name: 'weather', parameters, strict: false }],
    });
    expect(called.output).toMatchObject([{ type: 'function_call', name: 'weather', call_id: 'call_1' }]);
  });

  test('fails as the file says, and when no rule matches', async () => {
    const ask = (input: string) => daemon.sdk.responses.create({ model: 'scripted', input });
    await expect(ask('busy')).rejects.toMatchObject({ status: 503, code: 'queue_full' });
    await expect(ask('Good night.')).rejects.toMatchObject({ status: 400, code: 'answer_not_scripted' });
  });
});

describe('/v1/messages', () => {
  const body = (content: string) => ({ model: 'scripted', max_tokens: 100, messages: says(content) });

  test('gives text and tool calls, whole and as a stream', async () => {
    const whole = await anthropic.messages.create(body('Hello.'));
    expect(whole.content.at(-1)).toMatchObject({ type: 'text', text: 'Good morning to you!' });
    const final = await anthropic.messages.stream(body('Hello.')).finalMessage();
    expect(final.content.at(-1)).toMatchObject({ type: 'text', text: 'Good morning to you!' });
    const weather = [{ name: 'weather', input_schema: parameters }];
    const called = await anthropic.messages.create({ ...body('fog'), tools: weather });
    expect(called).toMatchObject({
      stop_reason: 'tool_use',
      content: [{ type: 'tool_use', name: 'weather', input: { city: 'Bergen' } }],
    });
  });

  test('fails in its own shape', async () => {
    await expect(anthropic.messages.create(body('busy'))).rejects.toMatchObject({
      error: { type: 'error', error: { message: 'Come back later.' } },
    });
    await expect(anthropic.messages.create(body('Good night.'))).rejects.toMatchObject({
      status: 400,
      error: {
        error: { type: 'invalid_request_error', message: expect.stringMatching(UNMATCHED) as string },
      },
    });
  });
});

test("/api/chat gives the text, and fails in Ollama's shape", async () => {
  const ask = (content: string) =>
    daemon.call('POST', '/api/chat', {
      token: daemon.key,
      body: { model: 'scripted', stream: false, messages: says(content) },
    });
  expect((await ask('Hello.')).json()).toMatchObject({ message: { content: 'Good morning to you!' } });
  const failed = await ask('Good night.');
  expect([failed.status, failed.json<{ error: string }>().error]).toEqual([
    400,
    expect.stringMatching(UNMATCHED),
  ]);
});

test('a check says that there is no model', async () => {
  const answer = await daemon.call('POST', '/api/daemon/check', { body: { model: 'scripted' } });
  expect(answer.status).toBe(400);
  expect(answer.json<{ error: object }>().error).toMatchObject({
    code: 'model_capability_mismatch',
    message: expect.stringContaining('answers.yaml: there is no model to check.') as string,
  });
});
