import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { startAskd, type TestOptions } from 'askd/testing';
import OpenAI from 'openai';
import { expect, onTestFinished, test } from 'vitest';
import { eventually } from '../../../helpers/daemon/chat.ts';
import { scriptedServer, sendJson } from '../../../helpers/servers/scripted-server.ts';
import { temporaryFolder } from '../../../helpers/temporary.ts';

const RULES = { rules: [{ answer: { text: 'Good morning!' } }] };

async function started(options: TestOptions = { models: { script: RULES } }) {
  const askd = await startAskd(options);
  onTestFinished(askd.stop);
  const openai = new OpenAI({ ...askd, maxRetries: 0 });
  const ask = async (headers: Record<string, string> = {}) => {
    const messages = [{ role: 'user' as const, content: 'Hello.' }];
    const { choices } = await openai.chat.completions.create({ model: 'svc-chat-v1', messages }, { headers });
    return choices[0]?.message.content;
  };
  return { ...askd, ask };
}

test('the chat service gives the scripted answers, from an object or a file', async () => {
  const file = join(temporaryFolder(), 'answers.yaml');
  writeFileSync(file, 'rules: [{ answer: { text: From a file. } }]');
  expect(await (await started()).ask()).toBe('Good morning!');
  for (const script of [file, relative(process.cwd(), file)])
    expect(await (await started({ models: { script } })).ask()).toBe('From a file.');
});

test('without a script the starter model answers', async () => {
  const { ask } = await started({});
  expect(await ask()).toMatch(/\w/);
});

test('the clock is moved, and the wallet is set', async () => {
  const { clock, wallet, client, ask } = await started();
  const before = await clock.now();
  expect((await clock.advance('31 days')).getTime() - before.getTime()).toBeGreaterThanOrEqual(
    31 * 86_400_000,
  );
  expect((await clock.set('2040-01-01T00:00:00Z')).getUTCFullYear()).toBe(2040);
  await expect(clock.advance('soon')).rejects.toThrow('is not a time such as');
  await wallet.set(12.5);
  expect(await client.wallet.balance()).toMatchObject({ balance: 12.5 });
  await wallet.empty();
  await expect(ask()).rejects.toMatchObject({ status: 402 });
});

test('the inbox gives signed webhooks, even after months', async () => {
  const { webhooks, clock, client, ask } = await started();
  await ask();
  expect(await webhooks.next('chat.completed')).toMatchObject({ data: { outcome: 'finished' } });
  await clock.advance('60 days');
  await client.keys.create({ name: 'one' });
  expect(await webhooks.next('api_key.created')).toMatchObject({ data: { name: 'one' } });
  // Several are sent at the same time.
  expect(new Set(webhooks.all().map(({ type }) => type))).toEqual(
    new Set(['chat.started', 'chat.completed', 'api_key.created']),
  );
  const forged = JSON.stringify({ type: 'chat.completed', timestamp: new Date(), data: {} });
  expect(await fetch(webhooks.url, { method: 'POST', body: forged })).toMatchObject({ status: 400 });
  expect(webhooks.all()).toHaveLength(3);
  await expect(webhooks.next('api_key.deleted', { timeoutMs: 1 })).rejects.toThrow(
    /These came: .*chat\.started/,
  );
});

test('trouble is simulated for the test key', async () => {
  const { ask } = await started();
  await expect(ask({ 'x-askd-simulate': 'status=429' })).rejects.toMatchObject({ status: 429 });
});

test('several daemons have their own port, home and limits, and leave nothing behind', async () => {
  const [one, other] = await Promise.all([
    started(),
    started({ models: { script: RULES }, profile: 'hosted' }),
  ]);
  expect(one.baseURL).not.toBe(other.baseURL);
  expect((await one.client.account.tier()).tier).toBe('enterprise');
  expect((await other.client.account.tier()).tier).toBe('free');
  await one.stop();
  await one[Symbol.asyncDispose]();
  expect(existsSync(one.home)).toBe(false);
  expect(await other.ask()).toBe('Good morning!');
});

test('a cassette is recorded from the models once, and answers instead of them from then on', async () => {
  const file = join(temporaryFolder(), 'answers.jsonl');
  await expect(startAskd({ cassette: file })).rejects.toMatchObject({ code: 'not_found' });
  const first = await started({ models: { script: RULES }, cassette: { file, update: 'new' } });
  expect(await first.ask()).toBe('Good morning!');
  await first.stop();
  const changed = { models: { script: { rules: [{ answer: { text: 'Good night!' } }] } } };
  const replayed = await started({ ...changed, cassette: file });
  expect(await replayed.ask()).toBe('Good morning!');
  expect(replayed.variables['OPENAI_BASE_URL']).toBe(replayed.baseURL);
  expect(await replayed.client.wallet.balance()).toMatchObject({ balance: expect.any(Number) as number });
  await expect(
    fetch(`${replayed.baseURL}/models`).then((response) => response.json()),
  ).resolves.toMatchObject({ error: { code: 'cassette_no_match' } });
  const again = await started({ ...changed, cassette: { file, update: 'all' } });
  expect(await again.ask()).toBe('Good night!');
});

test('a test adds rules to those of its cassette', async () => {
  const file = join(temporaryFolder(), 'rules.jsonl');
  const ask = async (
    { baseURL, apiKey }: { baseURL: string; apiKey: string },
    content: string,
    user: string,
  ) => {
    const body = JSON.stringify({ model: 'svc-chat-v1', messages: [{ role: 'user', content }], user });
    const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
    return (await fetch(`${baseURL}/chat/completions`, { method: 'POST', headers, body })).status;
  };
  const first = await started({
    models: { script: RULES },
    cassette: { file, update: 'new', ignore: ['body.user'] },
  });
  expect(await ask(first, 'It is May 1.', 'me')).toBe(200);
  await first.stop();
  const replayed = await started({ cassette: { file, match: { 'body.messages': /May \d+/ } } });
  expect(await ask(replayed, 'It is May 31.', 'you')).toBe(200);
  expect(await ask(replayed, 'It is June 1.', 'you')).toBe(404);
  await expect(startAskd({ cassette: { file, match: { 'body.messages': 'any' as never } } })).rejects.toThrow(
    '"body.messages" must have a /pattern/ or the word set.',
  );
});

test('a hosted provider is recorded once with its key, and answers without one from then on', async () => {
  const key = 'sk-hosted-0123456789abcdef';
  const seen: (string | undefined)[] = [];
  const hosted = await scriptedServer((request, response) => {
    seen.push(request.headers.authorization);
    sendJson(response, 200, { choices: [{ message: { content: 'Hosted.' } }] });
  });
  const file = join(temporaryFolder(), 'hosted.jsonl');
  const upstream = { baseURL: `${hosted.url}/v1`, apiKey: key };
  const first = await started({ cassette: { file, update: 'new', upstream } });
  expect(await first.ask()).toBe('Hosted.');
  await first.stop();
  expect(seen).toEqual([`Bearer ${key}`]);
  expect(readFileSync(file, 'utf8')).not.toMatch(new RegExp(`${key}|${first.apiKey}`));
  const replayed = await started({ cassette: { file, update: 'new', upstream: 'http://127.0.0.1:1/v1' } });
  expect(await replayed.ask()).toBe('Hosted.');
  expect(seen).toHaveLength(1);
});

test("the user's own settings change nothing", async () => {
  process.env['ASKD_MODEL_SLOTS'] = 'nonsense';
  onTestFinished(() => void delete process.env['ASKD_MODEL_SLOTS']);
  expect(await (await started()).ask()).toBe('Good morning!');
  await expect(startAskd({ env: { ASKD_MODEL_SLOTS: 'nonsense' } })).rejects.toThrow('ASKD_MODEL_SLOTS');
});

test('a mistake in the script is reported at the start', async () => {
  const folder = temporaryFolder();
  const env = { TMPDIR: folder, TEMP: folder, TMP: folder };
  const wrong = startAskd({ models: { script: { rules: [{ when: { contain: 'x' } }] } }, env });
  await expect(wrong).rejects.toThrow('contain');
  expect(readdirSync(folder)).toEqual([]);
});

test('it ends with a killed program, and removes its home', async () => {
  const program = `import { startAskd } from 'askd/testing'; console.log((await startAskd()).home); setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program]);
  onTestFinished(() => void child.kill('SIGKILL'));
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const home = line.toString().trim();
  expect(existsSync(home)).toBe(true);
  child.kill('SIGKILL');
  await eventually(() => existsSync(home)).toBe(false);
});

test('a program that forgets to stop it still exits', async () => {
  const program = `import { startAskd } from 'askd/testing'; console.log((await startAskd()).home);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program]);
  const [[line], [code]] = (await Promise.all([once(child.stdout, 'data'), once(child, 'exit')])) as [
    [Buffer],
    [number],
  ];
  expect(code).toBe(0);
  await eventually(() => existsSync(line.toString().trim())).toBe(false);
});
