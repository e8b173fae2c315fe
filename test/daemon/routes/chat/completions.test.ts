import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { uint32 } from '../../../../src/gguf/gguf.ts';
import { collect, openDaemonWith, type ChatDaemon } from '../../../helpers/daemon/chat.ts';
import { endlessModel, scriptedModel } from '../../../helpers/models/models.ts';
import { customModel } from '../../../models/engines/llama/custom-model.ts';

const TEXT = 'Grüße, 世界! 😀 One STOP two.';

/** Several models are loaded, each for the first time. */
vi.setConfig({ testTimeout: 90_000 });

let daemon: ChatDaemon;

beforeAll(async () => {
  daemon = await openDaemonWith({
    m: await scriptedModel(TEXT),
    endless: await endlessModel(),
  });
}, 60_000);
afterAll(() => daemon.close());

const go = (body: Record<string, unknown>) =>
  daemon.call('POST', '/v1/completions', {
    token: daemon.key,
    body: { model: 'm', prompt: 'Say', max_tokens: 100, ...body },
  });

describe('a text completion', () => {
  test('comes whole and as a stream to the official client', async () => {
    const body = { model: 'm', prompt: 'Say', max_tokens: 100 };
    const whole = await daemon.sdk.completions.create(body);
    expect(whole).toMatchObject({
      object: 'text_completion',
      choices: [{ text: TEXT, index: 0, logprobs: null, finish_reason: 'stop' }],
      usage: { prompt_tokens: 3 },
    });
    const options = { stream: true as const, stream_options: { include_usage: true } };
    const chunks = await collect(await daemon.sdk.completions.create({ ...body, ...options }));
    expect(chunks.map(({ choices }) => choices[0]?.text ?? '').join('')).toBe(TEXT);
    expect(chunks.at(-1)?.usage?.completion_tokens).toBe(whole.usage?.completion_tokens);
  });

  test('has its speed and its model, once', async () => {
    type Timed = { system_fingerprint: string; timings?: Record<string, number> };
    const whole = (await go({})).json<Timed & { usage: { completion_tokens: number } }>();
    expect(whole.system_fingerprint).toMatch(/^fp_[0-9a-f]{12}$/);
    const { prompt_n: read = 0, cache_n: cached = 0 } = whole.timings ?? {};
    expect([read + cached, whole.timings?.['predicted_n']]).toEqual([3, whole.usage.completion_tokens]);
    for (const options of [{}, { stream_options: { include_usage: true } }]) {
      const { text } = await go({ stream: true, ...options });
      const chunks = [...text.matchAll(/^data: (\{.*)$/gm)].map(([, json = '']) => JSON.parse(json) as Timed);
      expect(chunks.filter(({ timings }) => timings)).toEqual([chunks.at(-1)]);
      const prints = chunks.map(({ system_fingerprint: print }) => print);
      expect(new Set(prints)).toEqual(new Set([whole.system_fingerprint]));
    }
  });

  test('ends at its length, before a stop text, and after 16 tokens by default', async () => {
    expect((await go({ model: 'endless', max_tokens: undefined })).json()).toMatchObject({
      choices: [{ finish_reason: 'length' }],
      usage: { completion_tokens: 16 },
    });
    expect((await go({ stop: ' STOP' })).json()).toMatchObject({
      choices: [{ text: TEXT.slice(0, TEXT.indexOf(' STOP')), finish_reason: 'stop' }],
    });
  });

  test('may have several choices for several prompts, in the order of the prompts', async () => {
    const reply = await go({ prompt: ['One: ', 'Two: '], n: 2, echo: true });
    expect(reply.json()).toMatchObject({
      choices: ['One: ', 'One: ', 'Two: ', 'Two: '].map((prompt, index) => ({ index, text: prompt + TEXT })),
    });
    const used = reply.json<{ usage: { completion_tokens: number } }>().usage.completion_tokens;
    const rows = daemon.services.store
      .prepare<{ completion_tokens: number }>(
        'SELECT completion_tokens FROM usage ORDER BY rowid DESC LIMIT 2',
      )
      .all();
    expect(rows.reduce((sum, row) => sum + row.completion_tokens, 0)).toBe(used);
  });

  test('returns the logprob of each token, and where it begins', async () => {
    const reply = await go({ logprobs: 2 });
    const { usage } = reply.json<{ usage: { completion_tokens: number } }>();
    const [choice] = reply.json<{ choices: { text: string; logprobs: Record<string, unknown[]> }[] }>()
      .choices;
    const {
      tokens = [],
      token_logprobs: likelihoods = [],
      text_offset: offsets = [],
    } = choice?.logprobs ?? {};
    expect([tokens.length, likelihoods.length, offsets[0]]).toEqual([
      usage.completion_tokens,
      usage.completion_tokens,
      0,
    ]);
    expect(likelihoods.every((each) => (each as number) <= 0)).toBe(true);
  });
});

test('a model that was trained for it fills in the middle between two texts', async () => {
  const path = await customModel({
    'tokenizer.ggml.fim_pre_token_id': uint32(1),
    'tokenizer.ggml.fim_suf_token_id': uint32(2),
    'tokenizer.ggml.fim_mid_token_id': uint32(3),
  });
  await daemon.services.library.importArtifact({ id: 'code', path, mode: 'link' });
  const reply = await go({ model: 'code', prompt: 'abc', suffix: 'de', max_tokens: 3 });
  // The text, the suffix and three marks.
  expect(reply.json()).toMatchObject({ usage: { prompt_tokens: 3 + 2 + 3 } });
  expect((await go({ suffix: 'de' })).json()).toMatchObject({
    error: {
      code: 'model_capability_mismatch',
      param: 'suffix',
      // Not "use svc-code-v1", which may be what was asked.
      message: expect.stringContaining('askd pull svc-code-v1') as string,
    },
  });
});

test.each([
  [{ best_of: 2 }, 'best_of'],
  [{ echo: true, logprobs: 1 }, 'logprobs'],
  [{ stream_options: { include_usage: true } }, 'stream_options'],
])('an invalid parameter is named: %j', async (change, param) => {
  const reply = await go(change);
  expect([reply.status, reply.json()]).toMatchObject([400, { error: { param } }]);
});
