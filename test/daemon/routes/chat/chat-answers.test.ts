import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { collect, daemonWith, hello, openDaemonWith, type ChatDaemon } from '../../../helpers/daemon/chat.ts';
import { endlessModel, randomModel, scriptedModel } from '../../../helpers/models/models.ts';
import { onnxClassifier } from '../../../helpers/models/text-models.ts';
import { THINKING_TEMPLATE, weatherModel, WEATHER_ARGUMENTS } from '../../../helpers/models/tool-models.ts';

const THOUGHT = 'The user greets me, so I greet back.';
const ANSWER = 'Good morning to you!';

let daemon: ChatDaemon;

beforeAll(async () => {
  daemon = await openDaemonWith(
    {
      thinks: await scriptedModel(`<think>\n${THOUGHT}\n</think>\n\n${ANSWER}`, {
        chatTemplate: THINKING_TEMPLATE,
      }),
      broods: await endlessModel({ chatTemplate: `${THINKING_TEMPLATE}{{ '<think>\\n' }}` }),
      plain: await scriptedModel(ANSWER, { chatTemplate: THINKING_TEMPLATE }),
      random: await randomModel('llama', { seed: 9 }),
      m: await scriptedModel(ANSWER),
    },
    { ASKD_MODEL_SLOTS: '4' },
  );
});
afterAll(() => daemon.close());

type Thoughtful = { reasoning_content?: string };

describe('a reasoning model', () => {
  test('returns its reasoning apart from its answer, and both are counted', async () => {
    const { sdk } = daemon;
    const { choices, usage } = await sdk.chat.completions.create({ model: 'thinks', messages: hello });
    expect(choices[0]?.message).toMatchObject({ content: ANSWER, reasoning_content: THOUGHT });
    const thought = usage?.completion_tokens_details?.reasoning_tokens ?? 0;
    expect(thought).toBeGreaterThan(5);
    expect(thought).toBeLessThan(usage?.completion_tokens ?? 0);
  });

  test('streams its reasoning first, never in one chunk with the answer', async () => {
    const { sdk } = daemon;
    const chunks = await collect(
      await sdk.chat.completions.create({ model: 'thinks', messages: hello, stream: true }),
    );
    const deltas = chunks.map(({ choices }) => choices[0]?.delta as Thoughtful & { content?: string });
    expect(deltas.map((delta) => delta.reasoning_content ?? '').join('')).toBe(THOUGHT);
    expect(deltas.map(({ content }) => content ?? '').join('')).toBe(ANSWER);
    expect(deltas.some((delta) => delta.reasoning_content && delta.content)).toBe(false);
  });

  test('does not reason at effort none, and stops reasoning after what the effort allows', async () => {
    const { sdk } = daemon;
    const none = await sdk.chat.completions.create({
      model: 'plain',
      messages: hello,
      reasoning_effort: 'none',
    });
    expect(none.choices[0]?.message).toMatchObject({ content: ANSWER });
    expect(none.usage?.completion_tokens_details?.reasoning_tokens).toBe(0);
    const minimal = await sdk.chat.completions.create({
      model: 'broods',
      messages: hello,
      reasoning_effort: 'minimal',
      max_tokens: 300,
    });
    const reasoningTokens = minimal.usage?.completion_tokens_details?.reasoning_tokens ?? 0;
    expect(reasoningTokens).toBeGreaterThanOrEqual(256);
    expect(reasoningTokens).toBeLessThan(280);
    expect(minimal.choices[0]?.message.content).toContain('and so on');
  });
});

describe('several choices for one prompt', () => {
  const body = { model: 'random', messages: hello, n: 3, max_tokens: 12, seed: 5 };

  test('differ, are numbered, and read the prompt once', async () => {
    const { sdk } = daemon;
    const { choices, usage } = await sdk.chat.completions.create(body);
    expect(choices.map(({ index }) => index)).toEqual([0, 1, 2]);
    expect(new Set(choices.map(({ message }) => message.content)).size).toBe(3);
    expect(usage?.completion_tokens).toBe(36);
    const again = await sdk.chat.completions.create(body);
    expect(again.choices).toEqual(choices);
    const alone = await sdk.chat.completions.create({ ...body, n: 1 });
    expect(alone.choices[0]).toEqual(choices[0]);
  });

  test('come in one stream, with an end for each and one usage', async () => {
    const { sdk } = daemon;
    const options = { stream: true as const, stream_options: { include_usage: true } };
    const chunks = await collect(await sdk.chat.completions.create({ ...body, ...options }));
    const ends = chunks.filter(({ choices }) => choices[0]?.finish_reason);
    expect(ends.map(({ choices }) => choices[0]?.index).toSorted()).toEqual([0, 1, 2]);
    expect(chunks.filter(({ usage }) => usage)).toHaveLength(1);
    const roles = chunks.filter(({ choices }) => choices[0]?.delta.role);
    expect(roles.map(({ choices }) => choices[0]?.index)).toEqual([0, 1, 2]);
  });
});

describe('logprobs', () => {
  test.each([false, true])(
    'come with each token, and the tokens add up to the text (stream: %j)',
    async (stream) => {
      const { sdk } = daemon;
      const body = { model: 'm', messages: hello, logprobs: true, top_logprobs: 3 };
      const parts = stream
        ? (await collect(await sdk.chat.completions.create({ ...body, stream: true }))).map(
            ({ choices }) => choices[0],
          )
        : (await sdk.chat.completions.create(body)).choices;
      const items = parts.flatMap((part) => part?.logprobs?.content ?? []);
      expect(items.map(({ token }) => token).join('')).toBe(ANSWER);
      for (const { logprob, bytes, token, top_logprobs: top } of items) {
        expect(logprob).toBeLessThanOrEqual(0);
        expect(Buffer.from(bytes ?? []).toString()).toBe(token);
        expect(top).toHaveLength(3);
        expect(top[0]).toMatchObject({ token, logprob });
      }
    },
  );

  test('are those of the model, at any temperature', async () => {
    const { sdk } = daemon;
    const first = async (temperature: number) => {
      const body = {
        model: 'random',
        messages: hello,
        logprobs: true,
        top_logprobs: 20,
        max_tokens: 1,
        temperature,
      };
      // A token that is a whole character.
      const logit_bias = { 97: 100 };
      const { choices } = await sdk.chat.completions.create({ ...body, logit_bias });
      return choices[0]?.logprobs?.content?.[0]?.top_logprobs;
    };
    expect(await first(0)).toHaveLength(20);
    expect(await first(0)).toEqual(await first(1.5));
  });

  test('are changed by logit_bias', async () => {
    const { sdk } = daemon;
    const ask = async (logit_bias: Record<string, number>) => {
      const body = { model: 'random', messages: hello, max_tokens: 8, temperature: 0, logit_bias };
      return (await sdk.chat.completions.create(body)).choices[0]?.message.content;
    };
    expect(await ask({ 97: 100 })).toBe('aaaaaaaa');
    expect(await ask({ 97: -100, 98: 100 })).toBe('bbbbbbbb');
  });
});

test('the prompt that the model read is shown only to an admin', async () => {
  const { call, key, services } = daemon;
  const ask = (token: string) =>
    call('POST', '/v1/chat/completions', {
      token,
      body: { model: 'm', messages: hello },
      headers: { 'x-askd-debug': 'prompt' },
    });
  const refused = await ask(key);
  expect([refused.status, refused.json()]).toMatchObject([403, { error: { code: 'insufficient_scope' } }]);
  const accountId = services.keys.verify(key).accountId;
  const admin = services.keys.create({
    accountId,
    name: 'admin',
    scopes: ['chat', 'admin'],
    expiresAt: null,
  });
  const shown = await ask(admin.key);
  expect(shown.json()).toMatchObject({
    debug: { prompt: '<|im_start|>user\nhello<|im_end|>\n<|im_start|>assistant\n' },
  });
});

test('a daemon in front of another passes tools, choices and likelihoods on', async () => {
  const back = await daemonWith({ w: await weatherModel(), m: await scriptedModel(ANSWER) });
  const front = await daemonWith({});
  const add = (id: string) =>
    front.call('POST', '/api/daemon/upstreams', {
      body: {
        id,
        model: id,
        base_urls: [back.baseURL],
        tasks: ['chat'],
        context_tokens: 4096,
        key: back.key,
      },
    });
  expect([(await add('w')).status, (await add('m')).status]).toEqual([201, 201]);
  const tools = [
    { type: 'function' as const, function: { name: 'get_weather', parameters: { type: 'object' } } },
  ];
  const { choices } = await front.sdk.chat.completions.create({ model: 'w', messages: hello, tools });
  const [call] = choices[0]?.message.tool_calls ?? [];
  expect(choices[0]?.finish_reason).toBe('tool_calls');
  expect(call?.type === 'function' && JSON.parse(call.function.arguments)).toEqual(WEATHER_ARGUMENTS);
  const two = await front.sdk.chat.completions.create({ model: 'm', messages: hello, n: 2, logprobs: true });
  expect(two.choices.map(({ message }) => message.content)).toEqual([ANSWER, ANSWER]);
  expect(two.choices[1]?.logprobs?.content?.map(({ token }) => token).join('')).toBe(ANSWER);
});

describe('a chat that is moderated', () => {
  const labels = {
    H: ['fire'],
    H2: ['stone'],
    HR: ['dog'],
    S: ['moon'],
    S3: ['bird'],
    SH: ['water'],
    V: ['red'],
    V2: ['sun'],
    OK: ['the'],
  };
  const open = async (chatModerate: string) => {
    const models = {
      judge: await onnxClassifier({ labels, problem: 'multi_label_classification' }),
      calm: await scriptedModel('the cat'),
      wild: await scriptedModel('the fire red sun'),
    };
    const moderated = await daemonWith(models, { ASKD_CHAT_MODERATE: chatModerate });
    moderated.services.library.bind('svc-moderation-v1', 'judge');
    const ask = async (model: string, content: string) => {
      const body = { model, messages: [{ role: 'user' as const, content }] };
      const { choices, usage } = await moderated.sdk.chat.completions.create(body);
      return [choices[0]?.finish_reason, choices[0]?.message.content, usage?.completion_tokens === 0];
    };
    return ask;
  };

  test.each([
    ['input', ['content_filter', '', true], ['stop', 'the fire red sun', false]],
    ['output', ['stop', 'the cat', false], ['content_filter', '', false]],
    ['both', ['content_filter', '', true], ['content_filter', '', false]],
  ])('for %s ends where something is flagged', async (setting, question, answer) => {
    const ask = await open(setting);
    expect(await ask('calm', 'the cat')).toEqual(['stop', 'the cat', false]);
    expect(await ask('calm', 'red fire')).toEqual(question);
    expect(await ask('wild', 'the cat')).toEqual(answer);
  });
});
