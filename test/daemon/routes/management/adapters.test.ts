import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  writeRandomAdapter,
  type RandomAdapterOptions,
} from '../../../../scripts/fixtures/random-adapter.ts';
import { daemonWith } from '../../../helpers/daemon/chat.ts';
import { makeOnce, randomModel, recurrentModel } from '../../../helpers/models/models.ts';
import { otherPrograms } from '../../../helpers/models/other-programs.ts';
import { wordEmbedder } from '../../../helpers/models/text-models.ts';
import { temporaryFolder } from '../../../helpers/temporary.ts';

const LLAMA: RandomAdapterOptions = { architecture: 'llama', contextTokens: 4096 };
const adapterFile = (options = LLAMA) =>
  makeOnce('adapter', options, (target) => writeRandomAdapter(target, options));

async function open(env: Record<string, string> = {}) {
  const daemon = await daemonWith({ m: await randomModel('llama', { contextTokens: 4096 }) }, env);
  const add = async (body: object = {}) =>
    daemon.call('POST', '/api/daemon/adapters', {
      body: { name: 'tone', path: await adapterFile(), base: 'm', ...body },
    });
  /** The tokens and their log probabilities, to the last bit. */
  const probabilities = async (model: string) => {
    const reply = await daemon.chat({
      model,
      temperature: 0,
      max_tokens: 6,
      logprobs: true,
      top_logprobs: 3,
    });
    expect([reply.status, reply.text]).toEqual([200, expect.any(String)]);
    const answer = reply.json<{ choices: { logprobs: { content: Entry[] } }[]; usage: Usage }>();
    return { content: answer.choices[0]?.logprobs.content ?? [], usage: answer.usage };
  };
  return { ...daemon, add, probabilities };
}

type Entry = { logprob: number };

const logprobOf = ({ content }: { content: Entry[] }) => content[0]?.logprob ?? 0;

type Usage = { prompt_tokens_details?: { cached_tokens?: number } };

test('an adapter changes the probabilities of MODEL+NAME, and those of MODEL stay the same to the last bit', async () => {
  const { add, probabilities } = await open();
  await probabilities('m');
  // A prompt that is prefilled as a batch and one that is in the cache differ in the last bits.
  const before = await probabilities('m');
  expect(before.content).toHaveLength(6);
  expect((await add()).json()).toMatchObject({
    name: 'tone',
    base: 'm',
    model: 'm+tone',
    scale: 1,
    is_present: true,
  });
  const adapted = await probabilities('m+tone');
  expect(Math.abs(logprobOf(adapted) - logprobOf(before))).toBeGreaterThan(0.001);
  // The model itself prefilled the same prompt, and none of that was used.
  expect(before.usage.prompt_tokens_details?.cached_tokens).toBeGreaterThan(0);
  expect(adapted.usage.prompt_tokens_details?.cached_tokens ?? 0).toBe(0);
  expect((await probabilities('m')).content).toEqual(before.content);
}, 120_000);

test('an adapter is applied as strongly as its scale says', async () => {
  const { add, probabilities } = await open();
  const plain = await probabilities('m');
  await add({ name: 'none', scale: 0 });
  await add({ name: 'half', scale: 0.5 });
  expect((await probabilities('m+none')).content).toEqual(plain.content);
  expect((await probabilities('m+half')).content).not.toEqual(plain.content);
}, 120_000);

test('a pinned system prompt is saved separately for each of them', async () => {
  const { add, chat } = await open({
    ASKD_PINNED_SYSTEM_PROMPTS: '["You are a very patient and friendly assistant."]',
  });
  await add();
  const messages = [
    { role: 'system', content: 'You are a very patient and friendly assistant.' },
    { role: 'user', content: 'hello' },
  ];
  const text = async (model: string) =>
    (await chat({ model, messages, temperature: 0, max_tokens: 6 })).json<{ choices: object[] }>().choices;
  const [plain, adapted] = [await text('m'), await text('m+tone')];
  expect(adapted).not.toEqual(plain);
  expect(await text('m')).toEqual(plain);
}, 120_000);

test('every API accepts the name, and lists it', async () => {
  const { add, call, key } = await open({ ASKD_OLLAMA_API: 'on' });
  await add();
  const model = 'm+tone';
  const messages = [{ role: 'user', content: 'hello' }];
  const statuses = [];
  for (const [path, body] of [
    ['/v1/chat/completions', { messages, max_tokens: 2 }],
    ['/v1/completions', { prompt: 'hello', max_tokens: 2 }],
    ['/v1/responses', { input: 'hello', max_output_tokens: 2 }],
    ['/v1/messages', { messages, max_tokens: 2 }],
    ['/api/chat', { messages, stream: false, options: { num_predict: 2 } }],
    ['/api/generate', { prompt: 'hello', stream: false, options: { num_predict: 2 } }],
  ] as const) {
    statuses.push([path, (await call('POST', path, { token: key, body: { model, ...body } })).status]);
  }
  expect(statuses.filter(([, status]) => status !== 200)).toEqual([]);
  const { data } = (await call('GET', '/v1/models')).json<{ data: { id: string }[] }>();
  expect(data.map(({ id }) => id)).toContain(model);
  expect((await call('GET', '/api/tags', { token: key })).text).toContain('m+tone:latest');
  const bound = await call('POST', '/api/daemon/bind', { body: { service: 'svc-chat-v1', artifact: model } });
  expect(bound.json()).toMatchObject({ artifact: 'm+tone' });
  expect((await call('DELETE', '/api/daemon/adapters/tone')).json()).toMatchObject({
    error: { code: 'model_in_use', fix: 'askd bind svc-chat-v1 m' },
  });
}, 120_000);

describe('an adapter is refused with the reason', () => {
  test('for a wrong base', async () => {
    const { add, services } = await open();
    const other = (base: string, path: string) =>
      services.library.importArtifact({ id: base, path, mode: 'link' });
    await other('qwen', (await randomModel('qwen2')).path);
    await other('wide', (await randomModel('llama', { headWidth: 16 })).path);
    await other('words', (await wordEmbedder()).path);
    const message = async (body: object) =>
      (await add(body)).json<{ error: { message: string } }>().error.message;
    expect(await message({ base: 'qwen' })).toContain('it is for a llama model, and this is a qwen2 model');
    expect(await message({ base: 'wide' })).toMatch(
      /its blk\.0\.attn_q\.weight is 32 × 32, and this model's is 32 × 64/,
    );
    expect(await message({ base: 'words' })).toContain('adapters are for chat models of the llama engine');
    expect(await message({ base: 'nothing' })).toContain('does not exist');
  });

  test('for a file that is not an adapter', async () => {
    const { add } = await open();
    const { path } = await recurrentModel();
    expect((await add({ path })).json()).toMatchObject({
      error: {
        code: 'invalid_model_file',
        message: expect.stringContaining('names no adapter of the type lora'),
      },
    });
    expect((await add({ path: '/nowhere/adapter_model.safetensors' })).json()).toMatchObject({
      error: { code: 'not_found' },
    });
    expect((await add({ path: 'relative.gguf' })).json()).toMatchObject({ error: { code: 'invalid_value' } });
    expect((await add({ name: 'a+b' })).status).toBe(400);
    expect((await add()).status).toBe(201);
    expect((await add()).json()).toMatchObject({
      error: { code: 'already_exists', fix: 'askd adapter rm tone' },
    });
  });
});

test('a missing file is reported, and the model itself still works', async () => {
  const { add, chat, call } = await open();
  const path = join(temporaryFolder(), 'tone.gguf');
  copyFileSync(await adapterFile(), path);
  await add({ path });
  rmSync(path);
  expect((await chat({ model: 'm+tone' })).json()).toMatchObject({
    error: { code: 'model_not_installed', fix: 'restore the file, or: askd adapter rm tone' },
  });
  expect((await chat({ max_tokens: 1 })).status).toBe(200);
  expect((await chat({ model: 'm+other' })).json()).toMatchObject({ error: { code: 'model_not_found' } });
  const refused = await call('POST', '/api/daemon/remove', { body: { model: 'm' } });
  expect(refused.json()).toMatchObject({
    error: { message: expect.stringContaining('askd adapter rm tone') },
  });
  await call('DELETE', '/api/daemon/adapters/tone');
  expect((await call('POST', '/api/daemon/remove', { body: { model: 'm' } })).status).toBe(200);
}, 120_000);

test("Ollama's ADAPTER is applied to the adopted model", async () => {
  const programs = otherPrograms(temporaryFolder());
  const { call, probabilities } = await open(programs.env);
  const { path } = await randomModel('llama', { contextTokens: 4096 });
  programs.ollama('toned', { model: path, adapter: await adapterFile() });
  await call('POST', '/api/daemon/adopt', { body: { name: 'toned' } });
  expect((await probabilities('toned')).content).not.toEqual((await probabilities('m')).content);
}, 120_000);
