import { readFileSync } from 'node:fs';
import { Ollama } from 'ollama';
import OpenAI from 'openai';
import { describe, expect, onTestFinished, test } from 'vitest';
import { listenForOllama } from '../../../../daemon/apis/ollama/listener.ts';
import { OLLAMA_ENDPOINTS } from '../../../../src/api/ollama/endpoints.ts';
import { collect, daemonWith } from '../../../helpers/daemon/chat.ts';
import { send, startDaemon, type TestDaemon } from '../../../helpers/daemon/daemon.ts';
import { startHub } from '../../../helpers/servers/hub.ts';
import { scriptedModel } from '../../../helpers/models/models.ts';
import { temporaryFolder } from '../../../helpers/temporary.ts';

const REPO = 'someone/tiny-GGUF';
const ON = { ASKD_OLLAMA_API: 'on' };

const withoutKey = (daemon: TestDaemon, headers: Record<string, string> = {}) =>
  daemon.call('GET', '/api/tags', { token: null, headers });

function keyed({ services, port }: TestDaemon, scopes: string[]): Ollama {
  const { key } = services.keys.create({ accountId: 'acct_local', name: 'owner', scopes, expiresAt: null });
  return new Ollama({ host: `http://127.0.0.1:${port}`, headers: { authorization: `Bearer ${key}` } });
}

describe('access', () => {
  test('is closed at first, and names the command that opens it', async () => {
    const daemon = await startDaemon();
    for (const { method, path } of OLLAMA_ENDPOINTS) {
      const reply = await daemon.call(method, path.replace(/\{.*\}/, 'x'), { token: null });
      expect([path, reply.status]).toEqual([path, 404]);
      expect(reply.json()).toMatchObject({
        error: expect.stringContaining('askd config set ollama_api on') as string,
      });
    }
    expect(daemon.services.keys.list('acct_local').map(({ name }) => name)).toEqual(['test']);
  });

  test('lets programs on this machine in under their own key, until that is revoked', async () => {
    const daemon = await startDaemon(ON);
    expect((await withoutKey(daemon)).status).toBe(200);
    expect((await withoutKey(daemon)).status).toBe(200);
    const [own, ...others] = daemon.services.keys.list('acct_local').filter(({ name }) => name === 'ollama');
    expect([own?.scopes, others]).toEqual([['chat', 'read'], []]);
    expect(own?.last_used_at).not.toBeNull();
    daemon.services.keys.revoke('acct_local', own?.id ?? '');
    const refused = await withoutKey(daemon);
    expect([refused.status, refused.text]).toEqual([401, expect.stringContaining('askd keys create')]);
    expect((await daemon.call('GET', '/api/tags', { token: daemon.key })).status).toBe(200);
  });

  test('opens no other route without a key', async () => {
    const daemon = await startDaemon(ON);
    for (const path of ['/api/keys', '/api/daemon/status', '/v1/chat/completions']) {
      const reply = await daemon.call(path.startsWith('/v1') ? 'POST' : 'GET', path, { token: null });
      expect([path, reply.status]).toEqual([path, 401]);
    }
  });

  test('requires a key behind a proxy and from pages of other sites, and refuses a wrong one', async () => {
    const daemon = await startDaemon(ON);
    for (const [name, value] of [
      ['x-forwarded-for', '10.0.0.9'],
      ['sec-fetch-site', 'cross-site'],
    ] as const) {
      expect((await withoutKey(daemon, { [name]: value })).status).toBe(401);
    }
    expect((await daemon.call('GET', '/api/tags', { token: 'sk-wrong' })).status).toBe(401);
    const page = await withoutKey(daemon, { origin: 'http://evil.example' });
    expect([page.status, page.json()]).toMatchObject([403, { error: expect.any(String) as string }]);
    const host = await send({ port: daemon.port, path: '/api/tags', headers: { host: 'evil.example' } });
    expect(host.status).toBe(403);
  });

  test('lets pages of an allowed origin use models and not change them', async () => {
    const daemon = await startDaemon({ ...ON, ASKD_ALLOWED_ORIGINS: 'app://obsidian.md' });
    const origin = 'app://obsidian.md';
    expect((await withoutKey(daemon, { origin })).status).toBe(200);
    const body = JSON.stringify({ model: 'm' });
    // Node's client does not frame the body of a DELETE by default.
    const length = { 'content-length': String(body.length) };
    const removed = await daemon.call('DELETE', '/api/delete', {
      token: null,
      body,
      headers: { origin, ...length },
    });
    expect(removed.status).toBe(403);
  });
});

describe('what changes models', () => {
  test('needs a key with the scope admin', async () => {
    const daemon = await daemonWith({ m: await scriptedModel('Yes.') }, ON);
    const unauthorized = new Ollama({ host: `http://127.0.0.1:${daemon.port}` });
    const refusal = { status_code: 403, message: expect.stringContaining('askd keys update ask_') as string };
    await expect(unauthorized.delete({ model: 'm' })).rejects.toMatchObject(refusal);
    await expect(unauthorized.pull({ model: 'm' })).rejects.toMatchObject(refusal);
    await expect(unauthorized.copy({ source: 'm', destination: 'n' })).rejects.toMatchObject(refusal);
    const [own] = daemon.services.keys.list('acct_local').filter(({ name }) => name === 'ollama');
    daemon.services.keys.update('acct_local', own?.id ?? '', { scopes: ['chat', 'read', 'admin'] });
    await unauthorized.copy({ source: 'm', destination: 'n' });
    expect((await unauthorized.list()).models.map(({ name }) => name)).toContain('n:latest');
    expect((await daemon.call('GET', '/api/keys', { token: null })).status).toBe(401);
  });

  test('pulls with progress, copies and deletes', async () => {
    const hub = await startHub();
    const model = await scriptedModel('From the hub.');
    hub.add(REPO, { 'tiny-Q4_K_M.gguf': readFileSync(model.path) });
    const daemon = await startDaemon({ ...ON, ...hub.environment(temporaryFolder()) });
    const owner = keyed(daemon, ['chat', 'read', 'admin']);
    const name = `hf.co/${REPO}:Q4_K_M`;
    const progress = await collect(await owner.pull({ model: name, stream: true }));
    expect(progress[0]?.status).toBe('pulling manifest');
    expect(progress.at(-1)?.status).toBe('success');
    const last = progress.findLast(({ digest }) => digest);
    expect([last?.completed, last?.total]).toEqual(Array(2).fill(readFileSync(model.path).length));
    expect(await owner.pull({ model: name })).toMatchObject({ status: 'success' });
    const messages = [{ role: 'user', content: 'hi' }];
    expect((await owner.chat({ model: name, messages })).message.content).toBe('From the hub.');
    await owner.copy({ source: name, destination: 'mine:latest' });
    expect((await owner.chat({ model: 'mine', messages })).message.content).toBe('From the hub.');
    await owner.delete({ model: 'mine' });
    await expect(owner.chat({ model: 'mine', messages })).rejects.toMatchObject({ status_code: 404 });
    await expect(owner.delete({ model: 'mine' })).rejects.toMatchObject({ status_code: 404 });
    await expect(owner.pull({ model: 'llama-of-nobody' })).rejects.toMatchObject({ status_code: 404 });
  });

  test('says what to do instead of creating and pushing models', async () => {
    const daemon = await startDaemon(ON);
    const owner = keyed(daemon, ['admin']);
    await expect(owner.create({ model: 'x', from: 'y' })).rejects.toThrow('askd import FILE');
    await expect(owner.push({ model: 'x' })).rejects.toThrow('does not upload');
    const headers = { 'content-type': 'application/octet-stream' };
    const blob = await daemon.call('POST', '/api/blobs/sha256:1', { body: 'GGUF', headers });
    expect([blob.status, blob.text]).toEqual([400, expect.stringContaining('askd import FILE')]);
  });
});

describe('a request', () => {
  test('may come as curl sends it, and is told what had no effect', async () => {
    const daemon = await daemonWith({ m: await scriptedModel('Yes.') }, ON);
    const body = JSON.stringify({
      model: 'm',
      prompt: 'Is it?',
      options: { num_ctx: 4096, num_gpu: 1 },
    });
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const reply = await daemon.call('POST', '/api/generate', { token: null, body, headers });
    expect(reply.headers).toMatchObject({
      'content-type': 'application/x-ndjson',
      'x-askd-ignored': 'options.num_ctx, options.num_gpu',
    });
    const lines = reply.text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { response: string });
    expect(lines.map(({ response }) => response).join('')).toBe('Yes.');
  });

  test('that is wrong is refused in the shape of Ollama, and changes nothing', async () => {
    const daemon = await daemonWith({ m: await scriptedModel('Yes.') }, ON);
    const messages = [{ role: 'user', content: 'hi' }];
    const ask = (body: object) =>
      daemon.call('POST', '/api/chat', { token: null, body: { model: 'm', messages, ...body } });
    const cases: [object, string][] = [
      [{ keep_alive: 'soon' }, 'is not a duration'],
      [{ options: { temprature: 1 } }, 'Did you mean "temperature"'],
      [{ options: { mirostat: 2 } }, 'min_p'],
      [{ messages: [{ role: 'tool', content: 'x' }] }, 'No earlier message calls a tool'],
      [{ format: 'yaml' }, 'format'],
      [{ model: undefined }, '"model" is required'],
    ];
    for (const [body, text] of cases) {
      const reply = await ask(body);
      expect([reply.status, reply.json()]).toMatchObject([
        400,
        { error: expect.stringContaining(text) as string },
      ]);
    }
    expect(daemon.services.pool.status()).toEqual([]);
  });
});

describe('the second listener', () => {
  test('says that Ollama is running, and serves the same routes', async () => {
    const daemon = await startDaemon(ON);
    const second = await listenForOllama(daemon.server, daemon.services, 0);
    onTestFinished(() => second.close());
    const { port } = second;
    expect((await send({ port, path: '/' })).text).toBe('Ollama is running');
    expect((await send({ port, path: '/', method: 'HEAD' })).status).toBe(200);
    expect((await new Ollama({ host: `http://127.0.0.1:${port}` }).list()).models).toBeInstanceOf(Array);
    expect((await send({ port, path: '/api/tags', headers: { host: 'evil.example' } })).status).toBe(403);
    await expect(listenForOllama(daemon.server, daemon.services, port)).rejects.toThrow(
      /askd config set ollama_port \d+$/,
    );
  });

  test("serves the other APIs without a key, or with the one of Ollama's documentation, and nothing more", async () => {
    const daemon = await daemonWith({ m: await scriptedModel('Yes.') }, ON);
    const second = await listenForOllama(daemon.server, daemon.services, 0);
    onTestFinished(() => second.close());
    const messages = [{ role: 'user' as const, content: 'Is it?' }];
    const clientOf = (port: number, apiKey = 'ollama') =>
      new OpenAI({ baseURL: `http://127.0.0.1:${port}/v1`, apiKey, maxRetries: 0 });
    const answer = await clientOf(second.port).chat.completions.create({ model: 'm', messages });
    expect(answer.choices[0]?.message.content).toBe('Yes.');
    const limits = await send({ port: second.port, path: '/v1/rate-limit' });
    expect(limits.status).toBe(200);
    const [own] = daemon.services.keys.list('acct_local').filter(({ name }) => name === 'ollama');
    expect(own?.last_used_at).not.toBeNull();

    const refused = { status: 401 };
    const ask = { model: 'm', messages };
    await expect(clientOf(daemon.port).chat.completions.create(ask)).rejects.toMatchObject(refused);
    await expect(clientOf(second.port, 'sk-wrong').chat.completions.create(ask)).rejects.toMatchObject(
      refused,
    );
    const proxied = { port: second.port, path: '/v1/rate-limit', headers: { 'x-forwarded-for': '10.0.0.9' } };
    expect(await send(proxied)).toMatchObject(refused);
    for (const path of ['/api/keys', '/api/daemon/status', '/api/webhooks'])
      expect([path, (await send({ port: second.port, path })).status]).toEqual([path, 401]);
  });
});
