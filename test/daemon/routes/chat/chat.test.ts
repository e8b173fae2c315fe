import { Value } from 'typebox/value';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ChatCompletion, ChatCompletionChunk } from '../../../../src/api/chat/chat.ts';
import {
  collect,
  daemonWith,
  eventually,
  hello,
  openDaemonWith,
  type ChatDaemon,
} from '../../../helpers/daemon/chat.ts';
import { endlessModel, randomModel, scriptedModel } from '../../../helpers/models/models.ts';

const TEXT = 'Grüße aus Zürich — 日本語, 😀 and plain words. END of it.';

describe('a completion through the official SDK', () => {
  let daemon: ChatDaemon;
  let completionTokens: number;

  beforeAll(async () => {
    const scripted = await scriptedModel(TEXT);
    completionTokens = scripted.completionTokens;
    daemon = await openDaemonWith({
      m: scripted,
      endless: await endlessModel(),
      random: await randomModel('qwen3'),
    });
  });
  afterAll(() => daemon.close());

  test('comes whole, in the documented shape and with exact counts', async () => {
    const { chat, sdk } = daemon;
    const completion = await sdk.chat.completions.create({ model: 'm', messages: hello });
    expect(completion.choices[0]).toMatchObject({
      index: 0,
      message: { role: 'assistant', content: TEXT },
      finish_reason: 'stop',
    });
    expect(completion.usage?.completion_tokens).toBe(completionTokens);
    expect(completion.usage?.total_tokens).toBe((completion.usage?.prompt_tokens ?? 0) + completionTokens);
    expect(completion._request_id).toMatch(/^req_/);
    const raw = (await chat({})).json();
    expect([...Value.Errors(ChatCompletion, raw)]).toEqual([]);
  });

  test('comes as a stream of the same text, with no usage unless requested', async () => {
    const { sdk } = daemon;
    const chunks = await collect(
      await sdk.chat.completions.create({ model: 'm', messages: hello, stream: true }),
    );
    expect(chunks.flatMap((chunk) => [...Value.Errors(ChatCompletionChunk, chunk)])).toEqual([]);
    expect(chunks.map((chunk) => chunk.choices[0]?.delta.content ?? '').join('')).toBe(TEXT);
    expect(chunks[0]?.choices[0]?.delta).toEqual({ role: 'assistant', content: '' });
    expect(chunks.at(-1)?.choices[0]).toEqual({ index: 0, delta: {}, finish_reason: 'stop' });
    expect(new Set(chunks.map(({ id, created }) => `${id} ${created}`)).size).toBe(1);
    expect(chunks.some((chunk) => 'usage' in chunk)).toBe(false);
    const middle = chunks.slice(1, -1);
    expect(middle.every((chunk) => chunk.choices[0]?.delta.content && !chunk.choices[0].delta.role)).toBe(
      true,
    );
  });

  test('ends a stream with its usage when requested', async () => {
    const { sdk } = daemon;
    const options = { stream_options: { include_usage: true } };
    const chunks = await collect(
      await sdk.chat.completions.create({ model: 'm', messages: hello, stream: true, ...options }),
    );
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { completion_tokens: completionTokens } });
    expect(chunks.slice(0, -1).every(({ usage }) => usage === null)).toBe(true);
  });

  test('stops at max_tokens with the reason length', async () => {
    const { sdk } = daemon;
    for (const limit of [{ max_tokens: 5 }, { max_completion_tokens: 5 }]) {
      const completion = await sdk.chat.completions.create({ model: 'endless', messages: hello, ...limit });
      expect(completion.choices[0]?.finish_reason).toBe('length');
      expect(completion.usage?.completion_tokens).toBe(5);
    }
  });

  test('stops before a stop sequence', async () => {
    const { sdk } = daemon;
    const stop = ['nowhere', 'plain wor'];
    const completion = await sdk.chat.completions.create({ model: 'm', messages: hello, stop });
    expect(completion.choices[0]).toMatchObject({
      message: { content: TEXT.slice(0, TEXT.indexOf('plain wor')) },
      finish_reason: 'stop',
    });
  });

  test('is repeated with the same seed and not with another', async () => {
    const { sdk } = daemon;
    const ask = async (seed: number) => {
      const completion = await sdk.chat.completions.create({
        model: 'random',
        messages: hello,
        seed,
        max_tokens: 24,
      });
      return completion.choices[0]?.message.content;
    };
    const first = await ask(1);
    expect(await ask(1)).toBe(first);
    expect(await ask(2)).not.toBe(first);
  });

  test('reuses a cached prompt, and reports how many tokens', async () => {
    const { sdk } = daemon;
    const messages = [
      { role: 'system' as const, content: 'You know everything about trains. '.repeat(20) },
      ...hello,
    ];
    await sdk.chat.completions.create({ model: 'm', messages });
    const second = await sdk.chat.completions.create({
      model: 'm',
      messages: [...messages.slice(0, 1), { role: 'user', content: 'else' }],
    });
    const { cached_tokens: cached } = second.usage?.prompt_tokens_details ?? {};
    expect(cached).toBeGreaterThan(500);
    expect(cached).toBeLessThan(second.usage?.prompt_tokens ?? 0);
  });

  test('continues when its message is sent back unchanged', async () => {
    const { sdk } = daemon;
    const first = await sdk.chat.completions.create({ model: 'm', messages: hello });
    const message = first.choices[0]?.message as NonNullable<(typeof first.choices)[0]>['message'];
    const second = await sdk.chat.completions.create({ model: 'm', messages: [...hello, message, ...hello] });
    expect(second.choices[0]?.message.content).toBe(TEXT);
  });

  test('takes developer messages and text parts', async () => {
    const { sdk } = daemon;
    const completion = await sdk.chat.completions.create({
      model: 'm',
      messages: [
        { role: 'developer', content: 'Be brief.' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'one' },
            { type: 'text', text: 'two' },
          ],
        },
      ],
    });
    expect(completion.choices[0]?.message.content).toBe(TEXT);
  });
});

test('a request and its usage are recorded once, with its events, and no word of the conversation', async () => {
  const model = await scriptedModel(TEXT);
  const { sdk, services } = await daemonWith({ m: model });
  const secret = 'my-private-question';
  const messages = [{ role: 'user' as const, content: secret }];
  const completion = await sdk.chat.completions.create({ model: 'm', messages });
  await eventually(() => services.store.prepare('SELECT count(*) AS n FROM usage').get()).toEqual({ n: 1 });
  expect(services.store.prepare('SELECT * FROM usage').get()).toMatchObject({
    id: completion._request_id,
    model: 'm',
    artifact: 'm',
    outcome: 'finished',
    completion_tokens: model.completionTokens,
    prompt_tokens: completion.usage?.prompt_tokens,
  });
  const events = services.events.after(0).filter(({ type }) => type.startsWith('chat.'));
  expect(events.map(({ type }) => type)).toEqual(['chat.started', 'chat.completed']);
  expect(JSON.stringify(events)).not.toContain(secret);
});

test("an answer's headers have its duration, the load of its model included", async () => {
  const { chat } = await daemonWith({ m: await scriptedModel(TEXT) });
  const from = performance.now();
  const { headers } = await chat({});
  const took = performance.now() - from;
  expect(Number(headers['x-processing-time-ms'])).toBeGreaterThan(took / 4);
  expect(Number(headers['x-processing-time-ms'])).toBeLessThanOrEqual(Math.ceil(took));
});
