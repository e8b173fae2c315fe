import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { uint32 } from '../../../../src/gguf/gguf.ts';
import { startDaemon } from '../../../helpers/daemon/daemon.ts';
import { architectureModel, randomModel, scriptedModel } from '../../../helpers/models/models.ts';
import { temporaryFolder } from '../../../helpers/temporary.ts';

test('a model file is used in place, and its header says what it is', async () => {
  const { call } = await startDaemon();
  const { path } = await randomModel('qwen2', { contextTokens: 4096 });
  const reply = await call('POST', '/api/daemon/import', { body: { path, id: 'org/my-model.Q8_0' } });
  expect([reply.status, reply.json()]).toMatchObject([
    201,
    {
      id: 'org/my-model.Q8_0',
      engine: 'llama',
      tasks: ['chat', 'moderate', 'translate'],
      path,
      context_tokens_max: 4096,
      bound_to: [],
    },
  ]);
  const listed = (await call('GET', '/v1/models/org/my-model.Q8_0')).json<{ id: string }>();
  const encoded = (await call('GET', '/v1/models/org%2Fmy-model.Q8_0')).json<{ id: string }>();
  expect([listed.id, encoded.id]).toEqual(['org/my-model.Q8_0', 'org/my-model.Q8_0']);
});

test('a copy goes into the home and outlives its original', async () => {
  const { call, home } = await startDaemon();
  const original = join(temporaryFolder(), 'a.gguf');
  copyFileSync((await scriptedModel('copied')).path, original);
  const reply = await call('POST', '/api/daemon/import', { body: { path: original, id: 'c', mode: 'copy' } });
  expect(reply.json()).toMatchObject({ path: join(home, 'models', 'c.gguf') });
  expect(existsSync(join(home, 'models', 'c.gguf'))).toBe(true);
});

test('a service model is served by what it is bound to, until it is bound again', async () => {
  const { call, key } = await startDaemon();
  for (const id of ['first', 'second']) {
    const { path } = await scriptedModel(`This is ${id}.`);
    await call('POST', '/api/daemon/import', { body: { path, id } });
    expect(
      (await call('POST', '/api/daemon/bind', { body: { service: 'svc-code-v1', artifact: id } })).status,
    ).toBe(200);
    const body = { model: 'svc-code-v1', messages: [{ role: 'user', content: 'hi' }] };
    const answer = await call('POST', '/v1/chat/completions', { token: key, body });
    expect(answer.json()).toMatchObject({ choices: [{ message: { content: `This is ${id}.` } }] });
  }
  const artifacts = (await call('GET', '/api/daemon/artifacts')).json<{
    artifacts: { id: string; bound_to: string[] }[];
  }>();
  expect(artifacts.artifacts.map(({ id, bound_to }) => [id, bound_to])).toEqual([
    ['starter-chat', ['svc-chat-v1']],
    ['starter-words', ['svc-translate-v1']],
    ['starter-embed', ['svc-embed-v1']],
    ['starter-rerank', ['svc-rerank-v1']],
    ['starter-moderation', ['svc-moderation-v1']],
    ['starter-voice', ['svc-tts-v1']],
    ['first', []],
    ['second', ['svc-code-v1']],
  ]);
});

test('a file that cannot be imported is refused with the reason', async () => {
  const { call } = await startDaemon();
  const folder = temporaryFolder();
  const text = join(folder, 'readme.gguf');
  writeFileSync(text, 'not a model');
  const short = join(folder, 'short.gguf');
  writeFileSync(short, Buffer.from('GGUF\x03\x00\x00\x00', 'latin1'));
  const { path } = await scriptedModel('taken');
  await call('POST', '/api/daemon/import', { body: { path, id: 'taken' } });
  const cases: [object, number, string][] = [
    [{ path: text, id: 'a' }, 400, 'invalid_model_file'],
    [{ path: short, id: 'a' }, 400, 'invalid_model_file'],
    [{ path: join(folder, 'nothing.gguf'), id: 'a' }, 404, 'not_found'],
    [{ path: 'relative.gguf', id: 'a' }, 400, 'invalid_value'],
    [{ path: folder, id: 'a' }, 400, 'invalid_value'],
    [{ path, id: '../escape' }, 400, 'invalid_value'],
    [{ path, id: 'a/../b' }, 400, 'invalid_value'],
    [{ path, id: 'svc-chat-v1' }, 409, 'already_exists'],
    [{ path: text, id: 'taken' }, 409, 'already_exists'],
  ];
  for (const [body, status, code] of cases) {
    const reply = await call('POST', '/api/daemon/import', { body });
    expect([body, reply.status, reply.json()]).toMatchObject([body, status, { error: { code } }]);
  }
});

const bytesOf = async (...model: Parameters<typeof architectureModel>) =>
  readFileSync((await architectureModel(...model)).path);

const UNUSABLE: [what: string, reason: RegExp, make: () => Promise<Buffer>][] = [
  [
    'a model with an encoder and a decoder',
    /it has an encoder and a decoder, and askd runs decoder-only models/,
    () => bytesOf('t5'),
  ],
  [
    'an architecture that is newer than the engine',
    /the llama\.cpp of this askd \(v[\d.]+\) does not know the architecture .*llamx.*a newer askd may/,
    async () =>
      Buffer.from((await bytesOf('llama')).toString('latin1').replaceAll('llama', 'llamx'), 'latin1'),
  ],
  [
    'a model that ends the engine with its first long prompt',
    /llama\.cpp crashes on every prompt that it evaluates in more than one batch/,
    () => bytesOf('chameleon'),
  ],
  [
    'an RWKV-7 whose heads are computed wrongly on many processors',
    /its heads are 32 wide, and llama\.cpp computes RWKV-7 correctly .* only with those of 64/,
    () => bytesOf('rwkv7', { keys: { 'rwkv7.wkv.head_size': uint32(32) } }),
  ],
];

test.each(UNUSABLE)(
  '%s is refused at import, at load and by a check, with the reason',
  async (_what, reason, make) => {
    const { call, key } = await startDaemon();
    const known = await bytesOf('llama');
    const unusable = await make();
    const path = join(temporaryFolder(), 'model.gguf');
    const expectRefused = async (where: string, body: object, token?: string) => {
      const reply = await call('POST', where, { body, ...(token !== undefined && { token }) });
      const error = { code: 'invalid_model_file', message: expect.stringMatching(reason) };
      expect([where, reply.json()]).toMatchObject([where, { error }]);
    };

    writeFileSync(path, unusable);
    await expectRefused('/api/daemon/import', { path, id: 'm' });
    expect((await call('GET', '/v1/models/m')).status).toBe(404);

    writeFileSync(path, known);
    expect((await call('POST', '/api/daemon/import', { body: { path, id: 'm' } })).status).toBe(201);
    writeFileSync(path, unusable);
    await expectRefused('/api/daemon/load', { model: 'm' });
    await expectRefused(
      '/v1/chat/completions',
      { model: 'm', messages: [{ role: 'user', content: 'hi' }] },
      key,
    );
    const check = await call('POST', '/api/daemon/check', { body: { model: 'm' } });
    expect(check.text).toMatch(reason);
  },
);

test('a service model is bound only to a model that can do its work', async () => {
  const { call } = await startDaemon();
  const cases: [object, number, string][] = [
    [{ service: 'svc-embed-v1', artifact: 'starter-chat' }, 400, 'model_capability_mismatch'],
    [{ service: 'svc-nothing-v1', artifact: 'starter-chat' }, 404, 'model_not_found'],
    [{ service: 'svc-chat-v1', artifact: 'nobody' }, 404, 'model_not_found'],
  ];
  for (const [body, status, code] of cases) {
    const reply = await call('POST', '/api/daemon/bind', { body });
    expect([body, reply.status, reply.json()]).toMatchObject([body, status, { error: { code } }]);
  }
});

test('a file with a valid header that the engine refuses is a clear error, and the daemon keeps running', async () => {
  const { call, key } = await startDaemon();
  const broken = join(temporaryFolder(), 'broken.gguf');
  const { path } = await scriptedModel('whole');
  writeFileSync(broken, readFileSync(path).subarray(0, -4000));
  await call('POST', '/api/daemon/import', { body: { path: broken, id: 'broken' } });
  const body = { model: 'broken', messages: [{ role: 'user', content: 'hi' }], stream: true };
  const reply = await call('POST', '/v1/chat/completions', { token: key, body });
  expect([reply.status, reply.json()]).toMatchObject([503, { error: { code: 'model_load_failed' } }]);
  expect(reply.headers['x-should-retry']).toBe('false');
  expect(reply.text).toContain(broken);
  expect((await call('GET', '/healthz')).status).toBe(200);
});

test('a folder stands for the one model in it, split or not', async () => {
  const { call } = await startDaemon();
  const folder = temporaryFolder();
  const { path } = await scriptedModel('in a folder');
  for (const name of ['m-00001-of-00002.gguf', 'm-00002-of-00002.gguf', 'mmproj-m.gguf']) {
    copyFileSync(path, join(folder, name));
  }
  const reply = await call('POST', '/api/daemon/import', { body: { path: folder, id: 'cut' } });
  expect([reply.status, reply.json()]).toMatchObject([201, { path: join(folder, 'm-00001-of-00002.gguf') }]);
  const seeing = await call('POST', '/api/daemon/import', {
    body: { path: folder, id: 'seeing', engine: 'vision' },
  });
  expect(seeing.json()).toMatchObject({ engine: 'vision', tasks: ['chat'] });
  const copied = await call('POST', '/api/daemon/import', {
    body: { path: folder, id: 'copy', mode: 'copy' },
  });
  expect([copied.status, copied.json()]).toMatchObject([400, { error: { code: 'unsupported_parameter' } }]);
  copyFileSync(path, join(folder, 'other.gguf'));
  const several = await call('POST', '/api/daemon/import', { body: { path: folder, id: 'which' } });
  expect(several.text).toContain('several models: m-00001-of-00002.gguf, other.gguf');
});

test('the folder of an image model is described by a file beside its weights', async () => {
  const { call } = await startDaemon();
  const folder = temporaryFolder();
  const note = (content: unknown) => writeFileSync(join(folder, 'askd.json'), JSON.stringify(content));
  const drawing = { side: 16, steps: 4, guidance: 1 };
  const add = (rest: Record<string, unknown>) =>
    call('POST', '/api/daemon/import', { body: { path: folder, ...rest } });
  for (const name of ['painter.gguf', 'words.gguf']) writeFileSync(join(folder, name), 'weights');
  note({ drawing, files: { model: 'painter.gguf', 'text-encoder': 'gone.gguf' } });
  expect((await add({ id: 'p' })).text).toContain('\\"gone.gguf\\", is not in the folder');
  note({ drawing, files: { model: 'painter.gguf', 'text-encoder': '../words.gguf' } });
  expect((await add({ id: 'p' })).status).toBe(400);
  note({ drawing: { side: 16 }, files: { model: 'painter.gguf' } });
  expect((await add({ id: 'p' })).text).toContain('needs side, steps and guidance');
  note({ drawing, licence: 'MIT', files: { model: 'painter.gguf', 'text-encoder': 'words.gguf' } });
  const wrong = await add({ id: 'p', engine: 'llama' });
  expect([wrong.status, wrong.json()]).toMatchObject([400, { error: { param: 'engine' } }]);
  const linked = await add({ id: 'p', engine: 'diffusion' });
  expect([linked.status, linked.json()]).toMatchObject([
    201,
    { engine: 'diffusion', tasks: ['draw'], licence: 'MIT', bytes: 14, path: join(folder, 'painter.gguf') },
  ]);
  const { path } = (await add({ id: 'copied', mode: 'copy' })).json<{ path: string }>();
  expect([path.startsWith(folder), readFileSync(path, 'utf8')]).toEqual([false, 'weights']);
});

test('a model is refused if the requested engine does not match its files', async () => {
  const { call } = await startDaemon();
  const { path } = await scriptedModel('mine');
  const reply = await call('POST', '/api/daemon/import', { body: { path, id: 'm', engine: 'onnx' } });
  expect([reply.status, reply.json()]).toMatchObject([400, { error: { param: 'engine' } }]);
  expect(reply.text).toContain('is for the engine');
  const right = await call('POST', '/api/daemon/import', { body: { path, id: 'm', engine: 'llama' } });
  expect(right.status).toBe(201);
});
