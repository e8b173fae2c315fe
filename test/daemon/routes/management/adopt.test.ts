import { appendFileSync, existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { string, writeGguf } from '../../../../src/gguf/gguf.ts';
import { constantTensor } from '../../../../src/gguf/tensors.ts';
import { randomModelParts } from '../../../../scripts/fixtures/random-model.ts';
import { writeSplitModel } from '../../../../scripts/fixtures/split-model.ts';
import type { FoundModel } from '../../../../src/api/management/adopt.ts';
import type { Artifact } from '../../../../src/api/management/daemon.ts';
import { packageRoot } from '../../../../src/base/paths.ts';
import { startDaemon } from '../../../helpers/daemon/daemon.ts';
import { randomModel, scriptedModel, visionModel } from '../../../helpers/models/models.ts';
import { otherPrograms } from '../../../helpers/models/other-programs.ts';
import { wordEmbedder } from '../../../helpers/models/text-models.ts';
import { temporaryFolder } from '../../../helpers/temporary.ts';

async function open() {
  const programs = otherPrograms(temporaryFolder());
  const daemon = await startDaemon(programs.env);
  const found = async () =>
    (await daemon.call('GET', '/api/daemon/adoptable')).json<{ models: FoundModel[]; unreadable: string[] }>()
      .models;
  const adopt = (body: object) => daemon.call('POST', '/api/daemon/adopt', { body });
  const say = (model: string, messages: object[], more = {}) =>
    daemon.call('POST', '/v1/chat/completions', { token: daemon.key, body: { model, messages, ...more } });
  return { ...daemon, programs, found, adopt, say };
}

const hello = [{ role: 'user', content: 'hello' }];

type Answer = { choices: { message: { content: string } }[]; usage: { prompt_tokens: number } };

const bytesIn = (folder: string): number =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).reduce((sum, name) => {
    const found = statSync(join(folder, name));
    return found.isFile() ? sum + found.blocks * 512 : sum;
  }, 0);

describe('a model of Ollama', () => {
  test('answers by its own name, with its parameters and system prompt as defaults, and nothing is copied', async () => {
    const { programs, found, adopt, say, home, call } = await open();
    const { path } = await scriptedModel('one two three four', { contextTokens: 8192 });
    programs.ollama('tiny:1b', {
      model: path,
      system: 'You are brief.',
      template: '{{ .System }} {{ .Prompt }}',
      params: { num_ctx: 2048, temperature: 0, stop: ['three'], mirostat: 2, num_gpu: 1 },
      messages: [
        { role: 'user', content: 'Are you there?' },
        { role: 'assistant', content: 'Yes.' },
      ],
      license: 'MIT License\n\nPermission is hereby granted',
    });
    expect(await found()).toMatchObject([
      {
        id: 'tiny:1b',
        program: 'ollama',
        architecture: 'llama',
        bytes: statSync(path).size,
        services: ['svc-chat-v1', 'svc-code-v1', 'svc-moderation-v1', 'svc-translate-v1'],
        is_adopted: false,
        can_be_adopted: true,
      },
    ]);
    const before = bytesIn(programs.env.HOME);
    const { adopted } = (await adopt({ name: 'tiny:1b' })).json<{ adopted: Artifact[] }>();
    expect(adopted[0]).toMatchObject({ id: 'tiny:1b', licence: 'mit' });
    expect(adopted[0]?.defaults).toEqual([
      'system prompt: You are brief.',
      '2 messages before every conversation',
      'temperature 0',
      'stop "three"',
      'context 2048 tokens',
    ]);
    expect(adopted[0]?.origin?.unmet.map((line) => line.replace(/:.*/, ''))).toEqual([
      'TEMPLATE',
      'PARAMETER mirostat',
      'PARAMETER num_gpu',
    ]);
    const answer = (await say('tiny:1b', hello)).json<Answer>();
    expect(answer.choices[0]?.message.content).toBe('one two ');
    const asked = [{ role: 'system', content: 'You are brief.' }, ...hello];
    const own = (await say('tiny:1b', asked, { stop: ['never'] })).json<Answer>();
    expect(own.choices[0]?.message.content).toBe('one two three four');
    expect(answer.usage.prompt_tokens).toBeGreaterThan(own.usage.prompt_tokens);
    expect((await call('GET', '/v1/models/tiny:1b')).json()).toMatchObject({
      local: { context_tokens: 2048, context_reason: expect.stringContaining('num_ctx of its Modelfile') },
    });
    expect(existsSync(join(home, 'models')) ? bytesIn(join(home, 'models')) : 0).toBe(0);
    expect(bytesIn(programs.env.HOME)).toBe(before);
  }, 120_000);

  test('that is deleted in Ollama is marked and reported with the fix, and is back once it exists again', async () => {
    const { programs, adopt, say, call } = await open();
    const { path } = await scriptedModel('still here');
    const blob = programs.ollama('tiny', { model: path });
    await adopt({ name: 'tiny' });
    await call('POST', '/api/daemon/bind', { body: { service: 'svc-chat-v1', artifact: 'tiny' } });
    rmSync(blob);
    const refused = await say('svc-chat-v1', hello);
    expect([refused.status, refused.json()]).toMatchObject([
      404,
      {
        error: {
          code: 'model_not_installed',
          message: expect.stringContaining(`files of Ollama, and ${blob} was deleted there`),
          fix: 'ollama pull tiny:latest && askd adopt tiny, or: askd rm tiny',
        },
      },
    ]);
    const { artifacts } = (await call('GET', '/api/daemon/artifacts')).json<{ artifacts: Artifact[] }>();
    expect(artifacts.find(({ id }) => id === 'tiny')).toMatchObject({
      is_present: false,
      origin: { change: 'missing' },
    });
    const { findings } = (await call('POST', '/api/daemon/examine', { body: {} })).json<{
      findings: object[];
    }>();
    expect(findings).toContainEqual(
      expect.objectContaining({
        check: 'model tiny',
        level: 'problem',
        message: expect.stringContaining('Ollama'),
      }),
    );
    programs.ollama('tiny', { model: path });
    expect((await say('tiny', hello)).json<Answer>().choices[0]?.message.content).toBe('still here');
  }, 120_000);

  test('keeps its file when it is removed here', async () => {
    const { programs, adopt, call } = await open();
    const blob = programs.ollama('tiny', { model: (await scriptedModel('kept')).path });
    await adopt({ name: 'tiny' });
    const removal = (await call('POST', '/api/daemon/remove', { body: { model: 'tiny' } })).json();
    expect(removal).toMatchObject({ id: 'tiny', freed_bytes: 0, kept: [blob] });
    expect(existsSync(blob)).toBe(true);
  });

  test('with a projector reads images, whatever the blobs are called', async () => {
    const { programs, found } = await open();
    const { path, projector } = await visionModel();
    programs.ollama('eyes', { model: path, projector });
    expect((await found())[0]).toMatchObject({
      has_projector: true,
      services: ['svc-chat-v1', 'svc-vision-v1', 'svc-code-v1'],
    });
  });

  test('that cannot run here says why', async () => {
    const { programs, found, adopt } = await open();
    programs.ollama('cloudy', { config: { remote_host: 'https://ollama.com', remote_model: 'big' } });
    const folder = temporaryFolder();
    const { metadata, tensors } = randomModelParts({ architecture: 'llama' });
    const inside = join(folder, 'inside.gguf');
    await writeGguf(inside, metadata, [...tensors, constantTensor('v.blk.0.ln1.weight', [4], 1)]);
    programs.ollama('inside', { model: inside });
    const foreign = join(folder, 'foreign.gguf');
    await writeGguf(foreign, { ...metadata, 'general.architecture': string('gptoss') }, tensors);
    programs.ollama('foreign', { model: foreign });
    const reasons = Object.fromEntries((await found()).map(({ id, obstacle }) => [id, obstacle]));
    expect(reasons).toEqual({
      cloudy: expect.stringContaining("runs on Ollama's servers"),
      inside: expect.stringContaining('image encoder is inside the weights'),
      foreign: expect.stringContaining('does not know the architecture "gptoss"'),
    });
    expect((await adopt({ name: 'inside' })).json()).toMatchObject({ error: { code: 'invalid_model_file' } });
    const all = (await adopt({})).json<{ adopted: Artifact[]; left: FoundModel[] }>();
    expect([all.adopted, all.left.map(({ id }) => id)]).toEqual([[], ['cloudy', 'foreign', 'inside']]);
  });
});

test('models from LM Studio, llama.cpp, Jan, GPT4All and the hub are found and answer', async () => {
  const { programs, found, adopt, say, call, key } = await open();
  const said = (text: string) => scriptedModel(text).then(({ path }) => path);
  programs.lmStudio('acme/Tiny-GGUF/tiny-q8_0.gguf', await said('from LM Studio'));
  programs.llamaCpp('acme_Tiny-GGUF_tiny-f16.gguf', await said('from llama.cpp'));
  programs.jan('acme/jan-tiny', await said('from Jan'));
  programs.gpt4all('Tiny.Q4_0.gguf', await said('from GPT4All'));
  programs.gpt4all('words.gguf', (await wordEmbedder()).path);
  const starter = join(packageRoot, 'models', 'starter', 'embed');
  const names = ['config.json', 'tokenizer.json', 'tokenizer_config.json', 'onnx/model_quantized.onnx'];
  programs.hub('acme/onnx-embed', Object.fromEntries(names.map((name) => [name, join(starter, name)])));
  expect((await found()).map(({ id, program, services }) => [program, id, services[0]])).toEqual([
    ['lm-studio', 'tiny-q8_0', 'svc-chat-v1'],
    ['llama.cpp', 'acme_Tiny-GGUF_tiny-f16', 'svc-chat-v1'],
    ['jan', 'jan-tiny', 'svc-chat-v1'],
    ['gpt4all', 'Tiny.Q4_0', 'svc-chat-v1'],
    ['gpt4all', 'words', 'svc-embed-v1'],
    ['hub', 'onnx-embed', 'svc-embed-v1'],
  ]);
  await adopt({});
  expect((await found()).every(({ is_adopted: isAdopted }) => isAdopted)).toBe(true);
  for (const [model, text] of [
    ['tiny-q8_0', 'from LM Studio'],
    ['acme_Tiny-GGUF_tiny-f16', 'from llama.cpp'],
    ['jan-tiny', 'from Jan'],
    ['Tiny.Q4_0', 'from GPT4All'],
  ] as const) {
    expect((await say(model, hello)).json<Answer>().choices[0]?.message.content).toBe(text);
  }
  for (const model of ['words', 'onnx-embed']) {
    const reply = await call('POST', '/v1/embeddings', { token: key, body: { model, input: 'the' } });
    expect([reply.status, reply.text]).toEqual([200, expect.any(String)]);
  }
}, 120_000);

test('a split model is one model, and incomplete without one of its parts', async () => {
  const { programs, found, adopt, say } = await open();
  const folder = join(programs.env.HOME, '.lmstudio', 'models', 'acme', 'Big-GGUF');
  const probe = await randomModel('llama', { contextTokens: 4096 });
  programs.lmStudio('acme/Big-GGUF/other.gguf', probe.path);
  await writeSplitModel(folder, { architecture: 'llama', contextTokens: 4096, stem: 'big' });
  const parts = readdirSync(folder).filter((name) => name.startsWith('big'));
  const bytes = parts.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
  const [big] = (await found()).filter(({ path }) => path.includes('big-'));
  expect(big).toMatchObject({ id: 'big-00001-of-00002', bytes, can_be_adopted: true });
  await adopt({ name: 'big-00001-of-00002', id: 'big' });
  expect((await say('big', hello, { max_tokens: 3 })).status).toBe(200);
  rmSync(join(folder, 'big-00002-of-00002.gguf'));
  expect((await say('big', hello)).json()).toMatchObject({
    error: { fix: 'restore the file, or: askd rm big' },
  });
  const [broken] = (await found()).filter(({ path }) => path.includes('big-'));
  expect(broken?.obstacle).toContain('big-00002-of-00002.gguf is missing');
}, 120_000);

test('a projector is paired with the model in its folder or that it is named after', async () => {
  const { programs, found } = await open();
  const { path, projector } = await visionModel();
  const text = await randomModel('llama');
  programs.lmStudio('acme/Eyes-GGUF/eyes-q8_0.gguf', path);
  programs.lmStudio('acme/Eyes-GGUF/mmproj-eyes-f16.gguf', projector);
  programs.llamaCpp('acme_Text-GGUF_text.gguf', text.path);
  programs.llamaCpp('acme_Eyes2-GGUF_eyes2-q8_0.gguf', (await visionModel({ seed: 2 })).path);
  programs.llamaCpp('acme_Eyes2-GGUF_mmproj-eyes2-f16.gguf', projector);
  const pairs = Object.fromEntries((await found()).map((model) => [model.id, model.has_projector]));
  expect(pairs).toMatchObject({ 'eyes-q8_0': true, 'acme_Text-GGUF_text': false });
});

test('a file that was changed outside askd is refused until it is adopted again', async () => {
  const { programs, adopt, say, call } = await open();
  const file = programs.gpt4all('Tiny.Q4_0.gguf', (await scriptedModel('same')).path);
  await adopt({});
  appendFileSync(file, Buffer.alloc(32));
  expect((await say('Tiny.Q4_0', hello)).json()).toMatchObject({
    error: { message: expect.stringContaining('was changed there'), fix: 'askd adopt Tiny.Q4_0' },
  });
  expect((await call('GET', '/api/daemon/artifacts')).text).toContain('"change":"changed"');
  await adopt({ name: 'Tiny.Q4_0' });
  expect((await say('Tiny.Q4_0', hello)).json<Answer>().choices[0]?.message.content).toBe('same');
}, 120_000);

test('the same name in two programs is asked for, and a taken one is refused', async () => {
  const { programs, found, adopt } = await open();
  programs.lmStudio('acme/A/tiny.gguf', (await scriptedModel('one')).path);
  programs.gpt4all('tiny.gguf', (await scriptedModel('two')).path);
  expect((await found()).map(({ id }) => id)).toEqual(['tiny', 'tiny-gpt4all']);
  expect((await adopt({ name: 'tiny', program: 'gpt4all' })).json()).toMatchObject({
    adopted: [{ id: 'tiny-gpt4all' }],
  });
  const taken = await adopt({ name: 'tiny', program: 'lm-studio', id: 'tiny-gpt4all' });
  expect(taken.json()).toMatchObject({ error: { code: 'already_exists' } });
  expect((await adopt({ name: 'nothing' })).json()).toMatchObject({
    error: { code: 'model_not_found', fix: 'askd adopt' },
  });
});

test('damaged manifests and files are listed with the reason, and harm nothing', async () => {
  const { programs, found } = await open();
  const blob = programs.ollama('bad', { model: (await scriptedModel('bad')).path });
  rmSync(blob);
  programs.gpt4all('notes.gguf', join(packageRoot, 'package.json'));
  programs.gpt4all('good.gguf', (await scriptedModel('good')).path);
  expect((await found()).map(({ id, can_be_adopted: can }) => [id, can])).toEqual([
    ['bad', false],
    ['good', true],
    ['notes', false],
  ]);
});
