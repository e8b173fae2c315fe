import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { openSqlite } from '../../src/store/sqlite.ts';
import { execa } from 'execa';
import OpenAI from 'openai';
import { expect, test } from 'vitest';
import { binFile } from '../../src/base/paths.ts';
import { isAlive } from '../../src/base/presence.ts';
import { install, type Installation } from '../helpers/daemon/installation.ts';
import { endlessModel, scriptedModel } from '../helpers/models/models.ts';
import { wrongByOneLetter } from '../helpers/accounts/near-misses.ts';

const TEXT = 'Grüße — 日本語 😀, and a plain ending.';
const hello = [{ role: 'user' as const, content: 'hello' }];

type Loaded = { models: { artifact: string; pid: number; busy: number }[] };

async function serve(askd: Installation['askd']) {
  const { base_url: baseURL } = (await askd(['up', '--json'])).json<{ base_url: string }>();
  const { key } = (await askd(['keys', 'create', '--name', 'journey', '--json'])).json<{ key: string }>();
  return { key, baseURL, sdk: new OpenAI({ apiKey: key, baseURL, maxRetries: 0 }) };
}

async function importModel(
  askd: Installation['askd'],
  id: string,
  { path }: { path: string },
): Promise<void> {
  const run = await askd(['import', path, '--id', id, '--no-check', '--json']);
  expect(run.exitCode).toBe(0);
}

test('from an empty home to an answer, with a distinct error for every mistake', async () => {
  const { askd } = install();
  const { sdk, baseURL, key } = await serve(askd);

  const asked = [{ role: 'user' as const, content: 'How do I create an API key?' }];
  const starter = await sdk.chat.completions.create({ model: 'svc-chat-v1', messages: asked });
  expect(starter.choices[0]?.message.content).toContain('`askd keys create');

  await importModel(askd, 'my-model', await scriptedModel(TEXT));
  expect((await askd(['bind', 'svc-chat-v1', 'my-model'])).exitCode).toBe(0);
  const whole = await sdk.chat.completions.create({ model: 'svc-chat-v1', messages: hello });
  expect(whole.choices[0]?.message.content).toBe(TEXT);

  let streamed = '';
  for await (const chunk of await sdk.chat.completions.create({
    model: 'my-model',
    messages: hello,
    stream: true,
  })) {
    streamed += chunk.choices[0]?.delta.content ?? '';
  }
  expect(streamed).toBe(TEXT);

  const unauthorized = new OpenAI({ apiKey: wrongByOneLetter(key), baseURL, maxRetries: 0 });
  await expect(
    unauthorized.chat.completions.create({ model: 'my-model', messages: hello }),
  ).rejects.toMatchObject({
    status: 401,
    code: 'invalid_api_key',
  });
  await expect(sdk.chat.completions.create({ model: 'nobody', messages: hello })).rejects.toMatchObject({
    status: 404,
    code: 'model_not_found',
  });
  await expect(sdk.chat.completions.create({ model: 'my-model', messages: [] })).rejects.toMatchObject({
    status: 400,
    param: 'messages',
  });
});

test.each(['SIGKILL', 'SIGABRT'] as const)(
  'a runner that ends by %s in mid-stream fails only that stream',
  async (signal) => {
    const { askd } = install({ ASKD_MODEL_CONTEXT_TOKENS: '131072' });
    const { sdk, baseURL, key } = await serve(askd);
    await importModel(askd, 'endless', await endlessModel());
    await importModel(askd, 'other', await scriptedModel(TEXT));

    const response = await fetch(`${baseURL}/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'endless', messages: hello, stream: true, max_tokens: 100_000 }),
    });
    const reader = (response.body as ReadableStream<Uint8Array>)
      .pipeThrough(new TextDecoderStream())
      .getReader();
    const begun = await reader.read();
    expect(begun.value).toContain('data: ');

    const { models } = (await askd(['ps', '--json'])).json<Loaded>();
    const victim = models.find(({ artifact }) => artifact === 'endless');
    expect(victim?.busy).toBe(1);
    process.kill(victim?.pid ?? 0, signal);

    let rest = begun.value ?? '';
    for (let part = await reader.read(); !part.done; part = await reader.read()) rest += part.value;
    const last = rest.trim().split('\n\n').at(-1) ?? '';
    expect(JSON.parse(last.replace('data: ', ''))).toMatchObject({
      error: { code: 'runner_crashed', type: 'server_error', param: null },
    });
    expect(rest).not.toContain('[DONE]');

    const other = await sdk.chat.completions.create({ model: 'other', messages: hello });
    expect(other.choices[0]?.message.content).toBe(TEXT);
    const again = await sdk.chat.completions.create({ model: 'endless', messages: hello, max_tokens: 3 });
    expect(again.choices[0]?.finish_reason).toBe('length');
  },
);

test('what was created before a restart is there after it', async () => {
  const { askd, home, daemonPid } = install();
  const before = await serve(askd);
  await importModel(askd, 'my-model', await scriptedModel(TEXT));
  const pid = daemonPid();
  const restarted = (await askd(['restart', '--json'])).json<{ base_url: string; pid: number }>();
  await expect.poll(() => isAlive(pid), { timeout: 30_000 }).toBe(false);
  expect(restarted.pid).not.toBe(pid);

  const sdk = new OpenAI({ apiKey: before.key, baseURL: restarted.base_url, maxRetries: 0 });
  const answer = await sdk.chat.completions.create({ model: 'my-model', messages: hello });
  expect(answer.choices[0]?.message.content).toBe(TEXT);
  expect(statSync(join(home, 'root-token')).mode & 0o777).toBe(0o600);
});

test('a daemon that is killed leaves no runner behind, and the next one starts as if nothing had happened', async () => {
  const { askd, daemonPid } = install();
  const { sdk, key } = await serve(askd);
  await sdk.chat.completions.create({ model: 'svc-chat-v1', messages: hello });
  const runnerPid = (await askd(['ps', '--json'])).json<Loaded>().models[0]?.pid ?? 0;
  const killed = daemonPid();
  process.kill(killed, 'SIGKILL');
  await expect.poll(() => isAlive(runnerPid) || isAlive(killed), { timeout: 30_000 }).toBe(false);

  const next = (await askd(['up', '--json'])).json<{ base_url: string; already_running: boolean }>();
  expect(next.already_running).toBe(false);
  const again = new OpenAI({ apiKey: key, baseURL: next.base_url, maxRetries: 0 });
  expect((await again.models.retrieve('svc-chat-v1')).id).toBe('svc-chat-v1');
});

test('a stopping daemon lets its streams finish and accepts nothing new', async () => {
  // A busy machine may need longer for the whole stream than the default of 15 s.
  const { askd, presence, daemonPid } = install({ ASKD_DRAIN_TIMEOUT_MS: '600000' });
  const { sdk, baseURL } = await serve(askd);
  await importModel(askd, 'endless', await endlessModel());
  const stream = await sdk.chat.completions.create({
    model: 'endless',
    messages: hello,
    stream: true,
    max_tokens: 2000,
  });
  const chunks = stream[Symbol.asyncIterator]();
  await chunks.next();
  const pid = daemonPid();
  process.kill(pid, 'SIGTERM');
  await expect.poll(() => refuses(baseURL), { timeout: 30_000 }).toBe(true);

  let reason: string | null | undefined;
  for (let step = await chunks.next(); !step.done; step = await chunks.next())
    reason = step.value.choices[0]?.finish_reason;
  expect(reason).toBe('length');
  await expect.poll(() => isAlive(pid), { timeout: 30_000 }).toBe(false);
  expect(presence()).toBeUndefined();
});

test('a stream that does not end in time is ended with an honest error', async () => {
  const { askd, daemonPid } = install({ ASKD_DRAIN_TIMEOUT_MS: '200', ASKD_MODEL_CONTEXT_TOKENS: '131072' });
  const { sdk } = await serve(askd);
  await importModel(askd, 'endless', await endlessModel());
  const stream = await sdk.chat.completions.create({
    model: 'endless',
    messages: hello,
    stream: true,
    max_tokens: 100_000,
  });
  const reading = (async () => {
    for await (const chunk of stream) expect(chunk.object).toBe('chat.completion.chunk');
  })();
  const failure = expect(reading).rejects.toMatchObject({ code: 'shutting_down' });
  const pid = daemonPid();
  process.kill(pid, 'SIGTERM');
  await failure;
  await expect.poll(() => isAlive(pid), { timeout: 30_000 }).toBe(false);
});

test('two daemons never share a home', async () => {
  const { askd, environment, presence } = install();
  await askd(['up']);
  const second = await execa(process.execPath, [binFile('askd-daemon.js')], {
    env: environment,
    reject: false,
  });
  expect(second.exitCode).toBe(10);
  expect(second.stderr).toContain(`pid ${presence()?.pid}`);
  expect(second.stderr).toContain('askd down');
});

test('a home of a newer version is refused with a clear message', async () => {
  const { askd, home } = install();
  await askd(['up']);
  await askd(['down']);
  const database = openSqlite(join(home, 'askd.db'));
  database.pragma('user_version = 999');
  database.close();
  const run = await askd(['up']);
  expect(run.exitCode).not.toBe(0);
  expect(run.stderr).toContain('written by a newer askd');
});

test('no secret and no conversation is in the log', async () => {
  const { askd, home } = install({ ASKD_LOG_LEVEL: 'debug' });
  const { sdk, baseURL, key } = await serve(askd);
  const content = 'my-very-private-question';
  await sdk.chat.completions.create({ model: 'svc-chat-v1', messages: [{ role: 'user', content }] });
  await fetch(`${baseURL}/models/${key}?key=${key}`, { headers: { authorization: `Bearer ${key}` } });
  await askd(['down']);
  const log = readFileSync(join(home, 'logs', 'askd.log'), 'utf8');
  expect(log).toContain('/v1/models/ask_[redacted]');
  const rootToken = readFileSync(join(home, 'root-token'), 'utf8');
  for (const secret of [key, rootToken, content]) expect(log).not.toContain(secret);
});

async function refuses(baseURL: string): Promise<boolean> {
  return fetch(`${baseURL}/models`).then(
    () => false,
    () => true,
  );
}
