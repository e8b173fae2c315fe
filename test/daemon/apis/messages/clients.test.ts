import Anthropic from '@anthropic-ai/sdk';
import { betaTool } from '@anthropic-ai/sdk/helpers/beta/json-schema';
import { betaMemoryTool } from '@anthropic-ai/sdk/helpers/beta/memory';
import { jsonSchemaOutputFormat } from '@anthropic-ai/sdk/helpers/json-schema';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { writePdf } from '../../../../scripts/fixtures/pdf.ts';
import { collect, openDaemonWith, type ChatDaemon } from '../../../helpers/daemon/chat.ts';
import { endlessModel, randomModel, scriptedModel } from '../../../helpers/models/models.ts';
import {
  THINKING_TEMPLATE,
  WEATHER_ANSWER,
  WEATHER_ARGUMENTS,
  weatherModel,
} from '../../../helpers/models/tool-models.ts';

const THOUGHT = 'The user greets me, so I greet back.';
const ANSWER = 'Good morning to you!';
const hello = [{ role: 'user' as const, content: 'hello' }];
const thinking = { type: 'enabled' as const, budget_tokens: 1024 };
const CITY = {
  type: 'object',
  properties: { city: { type: 'string' }, days: { type: 'integer' } },
  required: ['city', 'days'],
} as const;
const MOOD = {
  type: 'object',
  properties: { mood: { enum: ['good'] } },
  required: ['mood'],
  additionalProperties: false,
} as const;

/** Several models are loaded, each for the first time. */
vi.setConfig({ testTimeout: 90_000 });

let daemon: ChatDaemon;
let client: Anthropic;

beforeAll(async () => {
  daemon = await openDaemonWith({
    m: await scriptedModel(ANSWER),
    thinks: await scriptedModel(`${THOUGHT}\n</think>\n\n${ANSWER}`, {
      chatTemplate: THINKING_TEMPLATE,
    }),
    weather: await weatherModel(),
    random: await randomModel('qwen2'),
    endless: await endlessModel({ contextTokens: 512 }),
  });
  client = new Anthropic({
    apiKey: daemon.key,
    baseURL: `http://127.0.0.1:${daemon.port}`,
    maxRetries: 0,
    // Without it, this client streams anything that may take more than ten minutes at a provider.
    timeout: 60_000,
  });
}, 60_000);
afterAll(() => daemon.close());

/** The parameters that a call of the official client was told had no effect. */
async function ignored(call: { asResponse(): Promise<Response> }) {
  const response = await call.asResponse();
  return [response.status, response.headers.get('x-askd-ignored')];
}

describe('the official client', () => {
  test('runs tools until there is an answer, though no thread is stored for it', async () => {
    const calls: unknown[] = [];
    const getWeather = betaTool({
      name: 'get_weather',
      description: 'The weather of a city',
      inputSchema: CITY,
      run: (input) => {
        calls.push(input);
        return 'sunny';
      },
    });
    const body = { model: 'weather', max_tokens: 500, messages: hello, tools: [getWeather] };
    const last = await client.beta.messages.toolRunner(body);
    expect([calls, last.content]).toMatchObject([[WEATHER_ARGUMENTS], [{ text: WEATHER_ANSWER }]]);
    const streamed = client.beta.messages.toolRunner({ ...body, stream: true });
    const messages = [];
    for await (const stream of streamed) messages.push(await stream.finalMessage());
    expect(messages.map(({ stop_reason: reason }) => reason)).toEqual(['tool_use', 'end_turn']);
  });

  test("is told in its own API's terms that threads are not stored, and nothing is charged", async () => {
    const { store } = daemon.services;
    const count = () => store.prepare<{ n: number }>('SELECT count(*) AS n FROM usage').get()?.n;
    const before = count();
    const body = { model: 'm', max_tokens: 5, messages: hello, thread: { type: 'create' as const } };
    const failure = await client.beta.messages.create(body).catch((error: unknown) => error);
    expect(failure).toMatchObject({
      status: 400,
      error: {
        error: { details: { error_code: 'thread_unsupported_request', unsupported: ['thread'] } },
      },
    });
    expect(count()).toBe(before);
  });

  test('gets reasoning with a signature, the same whole and as a stream, and may send it back', async () => {
    const body = { model: 'thinks', max_tokens: 500, thinking, messages: hello };
    const whole = await client.messages.create(body);
    expect(whole.content).toMatchObject([
      { type: 'thinking', thinking: THOUGHT, signature: expect.stringMatching(/./) as string },
      { type: 'text', text: ANSWER },
    ]);
    expect(whole.usage.output_tokens_details?.thinking_tokens).toBeGreaterThan(5);
    const events = await collect(await client.messages.create({ ...body, stream: true }));
    const kinds = events.flatMap((event) => (event.type === 'content_block_delta' ? event.delta.type : []));
    expect([...new Set(kinds)]).toEqual(['thinking_delta', 'signature_delta', 'text_delta']);
    const streamed = await client.messages.stream(body).finalMessage();
    expect(streamed.content).toEqual(whole.content);
    const again = await client.messages.create({
      ...body,
      messages: [...hello, { role: 'assistant', content: whole.content }, ...hello],
    });
    expect(again.content).toEqual(whole.content);
  });

  test('parses an answer that is bound to a schema', async () => {
    const format = jsonSchemaOutputFormat(MOOD);
    const body = { model: 'random', max_tokens: 100, messages: hello, output_config: { format } };
    expect((await client.messages.parse(body)).parsed_output).toEqual({ mood: 'good' });
    const stream = client.messages.stream(body);
    expect((await stream.finalMessage()).parsed_output).toEqual({ mood: 'good' });
  });

  test('has a PDF read on this machine, and its tokens counted', async () => {
    const ask = (pages: string[]) =>
      client.messages.countTokens({
        model: 'm',
        messages: [{ role: 'user', content: [pdf(writePdf(pages)), { type: 'text', text: 'Well?' }] }],
      });
    const [short, long] = [await ask(['One.']), await ask(['One.', 'Two and three and four.'])];
    expect(long.input_tokens).toBeGreaterThan(short.input_tokens + 10);
  });

  test.each([
    ['has no text', () => writePdf(['', '']), 'none of its pages contains text'],
    ['is damaged', () => Buffer.from('%PDF-1.7 and nothing'), 'The document cannot be used'],
    ['is none', () => Buffer.from('\x00\x01'), 'it is neither a PDF nor plain text'],
  ])('learns why a PDF cannot be used that %s', async (_what, file, why) => {
    const content = [pdf(file())];
    const body = { model: 'm', max_tokens: 5, messages: [{ role: 'user' as const, content }] };
    await expect(client.messages.create(body)).rejects.toThrow(why);
  });

  test('passes on notes that the model keeps', async () => {
    const memory = betaMemoryTool({
      view: () => 'nothing yet',
      create: () => 'done',
      str_replace: () => 'done',
      insert: () => 'done',
      delete: () => 'done',
      rename: () => 'done',
    });
    const runner = client.beta.messages.toolRunner({
      model: 'm',
      max_tokens: 50,
      messages: hello,
      tools: [memory],
    });
    expect((await runner).content).toMatchObject([{ type: 'text', text: ANSWER }]);
  });

  test('learns what had no effect', async () => {
    expect(
      await ignored(
        client.beta.messages.create({
          model: 'm',
          max_tokens: 64_000,
          messages: hello,
          cache_control: { type: 'ephemeral' },
          context_management: { edits: [{ type: 'clear_thinking_20251015', keep: 'all' }] },
          mcp_servers: [],
          thinking: { type: 'adaptive', display: 'summarized' },
          betas: ['context-management-2025-06-27'],
          stop_sequences: Array.from({ length: 40 }, (_, index) => `never ${index}`),
          tools: [
            { name: 'look', input_schema: { type: 'object' }, defer_loading: true },
            { type: 'web_search_20250305', name: 'web_search', max_uses: 3 },
          ],
        }),
      ),
    ).toEqual([
      200,
      'cache_control, context_management, thinking.display, tools[].defer_loading, tools[].max_uses, tools[].web_search_20250305',
    ]);
  });

  test('may ask for more tokens than a model gives, and learns that the context ended the answer', async () => {
    daemon.services.library.bind('svc-chat-v1', 'endless');
    const answer = await client.messages.create({
      model: 'svc-chat-v1',
      max_tokens: 64_000,
      messages: hello,
    });
    expect(answer.stop_reason).toBe('model_context_window_exceeded');
    const short = await client.messages.create({ model: 'endless', max_tokens: 3, messages: hello });
    expect(short.stop_reason).toBe('max_tokens');
  });

  test('has an answer that it began continued', async () => {
    const begun = {
      model: 'm',
      max_tokens: 50,
      messages: [...hello, { role: 'assistant' as const, content: '' }],
    };
    expect((await client.messages.create(begun)).content).toMatchObject([{ text: ANSWER }]);
    const counted = (content: string) =>
      client.messages.countTokens({ model: 'm', messages: [...hello, { role: 'assistant', content }] });
    // Only letters: no tag ends the message, and none starts another.
    const letters = (await counted('Good')).input_tokens - (await counted('')).input_tokens;
    expect(letters).toBeGreaterThan(0);
    expect(letters).toBeLessThanOrEqual('Good'.length);
  });

  test('may send back a call with nothing in the place of a value', async () => {
    const counted = (input: object) =>
      client.messages.countTokens({
        model: 'weather',
        messages: [
          ...hello,
          { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'look', input }] },
          { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: 'sunny' }] },
        ],
      });
    const [none, nothing] = [await counted({}), await counted({ city: null })];
    expect(nothing.input_tokens).toBeGreaterThan(none.input_tokens);
  });

  test('lists the models, and finds one', async () => {
    const models = await collect(client.models.list({ limit: 3 }));
    expect(models.find(({ id }) => id === 'm')).toMatchObject({
      type: 'model',
      display_name: 'm',
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as string,
    });
    expect((await client.beta.models.retrieve('thinks')).display_name).toBe('thinks');
    const missing = await client.models.retrieve('nobody').catch((error: unknown) => error);
    expect(missing).toBeInstanceOf(Anthropic.NotFoundError);
    expect(missing).toMatchObject({
      type: 'not_found_error',
      requestID: expect.stringMatching(/^req_/) as string,
    });
  });

  test('finds the number of a request in its answer', async () => {
    const answer = await client.messages.create({ model: 'm', max_tokens: 5, messages: hello });
    expect(answer._request_id).toMatch(/^req_/);
  });
});

function pdf(file: Buffer) {
  const source = {
    type: 'base64' as const,
    media_type: 'application/pdf' as const,
    data: file.toString('base64'),
  };
  return { type: 'document' as const, source };
}
