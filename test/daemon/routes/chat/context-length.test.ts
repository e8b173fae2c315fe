import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { collect, openDaemonWith, type ChatDaemon } from '../../../helpers/daemon/chat.ts';
import { scriptedModel } from '../../../helpers/models/models.ts';

/** By these the clients of today know that a prompt is too long, and that the same request need not be sent again. */
const RECOGNISED = {
  opencode: /maximum context length is \d+ tokens/i,
  'opencode, beside the first': /reduce the length of the messages/i,
  LiteLLM: /this model's maximum context length is/i,
};
const CLAUDE_CODE = /prompt is too long[^0-9]*(\d+)\s*tokens?\s*>\s*(\d+)/i;
/** What opencode takes as a sign that a shorter conversation would fit. */
const OVERFLOWS = [
  ...Object.values(RECOGNISED),
  ...[/prompt is too long/i, /exceeds the context window/i, /exceeds the limit of \d+/i, /too many tokens/i],
  ...[
    /context[_ ]length[_ ]exceeded/i,
    /context length is only \d+ tokens/i,
    /greater than the context length/i,
  ],
];

const long = [{ role: 'user' as const, content: 'x'.repeat(3000) }];

let daemon: ChatDaemon;
beforeAll(async () => {
  const models = {
    m: await scriptedModel('Hello.'),
    short: await scriptedModel('Hi.', { contextTokens: 2048 }),
  };
  daemon = await openDaemonWith(models, { ASKD_MODEL_CONTEXT_TOKENS: '2048' });
});
afterAll(() => daemon.close());

/** An official client with its defaults, and a count of its requests. */
function counting() {
  let requests = 0;
  const counted: typeof fetch = (url, init) => {
    requests += 1;
    return fetch(url, init);
  };
  const { key: apiKey, baseURL } = daemon;
  return {
    openai: new OpenAI({ apiKey, baseURL, fetch: counted }),
    anthropic: new Anthropic({ apiKey, baseURL: baseURL.replace('/v1', ''), fetch: counted }),
    requests: () => requests,
  };
}

const refusalOf = (answering: Promise<unknown>) =>
  answering.then(
    () => undefined,
    (error: unknown) => error,
  );

describe('a prompt that is longer than the context', () => {
  test.each([false, true])(
    'is final for a chat client, in words that it knows (stream: %s)',
    async (stream) => {
      const { openai, requests } = counting();
      const error = await refusalOf(openai.chat.completions.create({ model: 'm', messages: long, stream }));
      expect(error).toBeInstanceOf(OpenAI.BadRequestError);
      expect(error).toMatchObject({ code: 'context_length_exceeded', param: 'messages' });
      expect(error).toMatchObject({ type: 'invalid_request_error' });
      for (const words of Object.values(RECOGNISED)) expect((error as Error).message).toMatch(words);
      expect(requests()).toBe(1);
    },
  );

  test('is final for a client of completions', async () => {
    const { openai, requests } = counting();
    const create = openai.completions.create({ model: 'm', prompt: 'x'.repeat(3000) });
    expect(await refusalOf(create)).toMatchObject({ status: 400, code: 'context_length_exceeded' });
    expect(requests()).toBe(1);
  });

  test('is final for a client of messages, in the words of that API', async () => {
    const { anthropic, requests } = counting();
    const create = anthropic.messages.create({ model: 'm', max_tokens: 5, messages: long });
    const error = await refusalOf(create);
    expect(error).toBeInstanceOf(Anthropic.BadRequestError);
    const { type, message } = (error as { error: { error: { type: string; message: string } } }).error.error;
    expect(type).toBe('invalid_request_error');
    const [, tokens, limit] = CLAUDE_CODE.exec(message) ?? [];
    expect([Number(tokens) > 3000, limit]).toEqual([true, '2048']);
    expect(requests()).toBe(1);
  });

  test('is a status for a client of responses, and in a stream the event that Codex expects', async () => {
    const { openai, requests } = counting();
    const create = { model: 'm', input: 'x'.repeat(3000) };
    expect(await refusalOf(openai.responses.create(create))).toMatchObject({
      status: 400,
      code: 'context_length_exceeded',
    });
    const events = await collect(await openai.responses.create({ ...create, stream: true }));
    expect(events.at(-1)).toMatchObject({ type: 'error', code: 'context_length_exceeded' });
    expect(events.at(-2)).toMatchObject({
      type: 'response.failed',
      response: { status: 'failed', error: { code: 'context_length_exceeded' } },
    });
    expect(requests()).toBe(2);
  });

  test('names the command for a longer context, if the model was trained for more', async () => {
    const { chat } = daemon;
    const message = async (model: string) =>
      (await chat({ model, messages: long })).json<{ error: { message: string } }>().error.message;
    expect(await message('m')).toMatch(/or: askd config set model_context_tokens 8192 && askd restart$/);
    expect(await message('short')).toMatch(/or: askd models lists models with a longer context$/);
  });
});

describe('a system prompt that fills the context', () => {
  const messages = [
    { role: 'system' as const, content: 'y'.repeat(1900) },
    { role: 'user' as const, content: 'x'.repeat(300) },
  ];

  test('is a different error, or agents would shorten the conversation and retry forever', async () => {
    const { openai, requests } = counting();
    const error = await refusalOf(openai.chat.completions.create({ model: 'm', messages }));
    expect(error).toMatchObject({ status: 400, code: 'context_too_small', type: 'invalid_request_error' });
    expect((error as Error).message).toContain('askd config set model_context_tokens 4096 && askd restart');
    for (const words of OVERFLOWS) expect((error as Error).message).not.toMatch(words);
    expect(requests()).toBe(1);
  });

  test('counts the tools as well, in every API', async () => {
    const name = 'search';
    const description = 'z'.repeat(3000);
    const { anthropic } = counting();
    const tools = [{ name, description, input_schema: { type: 'object' as const } }];
    const create = { model: 'm', max_tokens: 5, tools, messages: [{ role: 'user' as const, content: 'Hi' }] };
    const error = await refusalOf(anthropic.messages.create(create));
    expect(error).toMatchObject({ status: 400, error: { error: { code: 'context_too_small' } } });
  });

  test('is still an error about length where most of the context is left for a conversation', async () => {
    const short = [{ role: 'system' as const, content: 'Be kind.' }, ...long];
    const { chat } = daemon;
    expect((await chat({ messages: short })).json()).toMatchObject({
      error: { code: 'context_length_exceeded' },
    });
  });
});
