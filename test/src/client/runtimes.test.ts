import { once } from 'node:events';
import { createServer } from 'node:http';
import { mkdirSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { gzipSync } from 'node:zlib';
import type * as askd from 'askd/client';
import { execa } from 'execa';
import { build } from 'vite';
import { expect, onTestFinished, test } from 'vitest';
import { newWebhookSecret, signWebhook } from '../../../src/base/webhook-signature.ts';
import { entryFile } from '../../../src/base/paths.ts';
import { openTab } from '../../helpers/chromium.ts';
import { startDaemon } from '../../helpers/daemon/daemon.ts';
import { fetchRuntime } from '../../helpers/runtimes.ts';
import { scriptedServer, sendJson } from '../../helpers/servers/scripted-server.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';

const KB = 1024;
const FILE = entryFile('src/client/client.js');

/** The client as a page gets it, with nothing from Node. */
async function bundle(): Promise<string> {
  const outcome = await build({
    configFile: false,
    logLevel: 'silent',
    build: { write: false, target: 'es2022', lib: { entry: FILE, formats: ['es'] } },
  });
  const [{ output } = { output: [] }] = [outcome].flat() as {
    output: { code: string; imports: string[] }[];
  }[];
  const [{ code, imports } = { code: '', imports: [''] }] = output;
  expect({ parts: output.length, imports }).toEqual({ parts: 1, imports: [] });
  return code;
}

test('the client for pages has no imports left, and at most 12 KB compressed', async () => {
  const code = await bundle();
  expect(code).not.toMatch(/node:|__vite|require\(/);
  expect(gzipSync(code).length).toBeLessThan(12 * KB);
});

const PAGE = `<title>page</title><link rel="icon" href="data:,">
<script type="module">import * as askd from '/client.js'; globalThis.askd = askd;</script>`;

test('a page of an allowed origin uses it in Chromium', async () => {
  const code = await bundle();
  const server = createServer(({ url }, response) => {
    response.setHeader('content-type', url === '/client.js' ? 'text/javascript' : 'text/html');
    response.end(url === '/client.js' ? code : PAGE);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const daemon = await startDaemon({ ASKD_ALLOWED_ORIGINS: origin });
  const { page, errors } = await openTab();
  await page.goto(origin);
  const seen = await page.evaluate(
    async ([base, apiKey]) => {
      const { createClient } = (globalThis as unknown as { askd: typeof askd }).askd;
      const { models, texts, wallet } = createClient({ baseURL: base, apiKey });
      const { data } = await models.list();
      const { tokens } = await texts.tokenize({ content: 'hello' });
      const failure = await wallet.topUp({} as never).catch((error: Error) => error.name);
      return { models: data.length, tokens: tokens.length, failure };
    },
    [daemon.baseURL, daemon.key] as [string, string],
  );
  expect(seen).toEqual({ models: expect.any(Number), tokens: expect.any(Number), failure: 'AskdError' });
  expect(seen.models).toBeGreaterThan(3);
  // Chromium itself logs the status of the refusal.
  expect(errors.filter((error) => !/403/.test(error))).toEqual([]);
});

const PROGRAM = `
import { createClient, verifyWebhook } from ${JSON.stringify(FILE)};
const [baseURL, apiKey] = (globalThis.Deno?.args ?? process.argv.slice(2));
const client = createClient({ baseURL, apiKey });
const { data } = await client.models.list();
const { tokens } = await client.texts.tokenize({ content: 'hello' });
const code = await client.wallet.topUp({}).catch((error) => error.code);
const headers = { 'webhook-id': 'e', 'webhook-timestamp': String(Math.floor(Date.now() / 1000)), 'webhook-signature': 'v1,AAAA' };
const forged = await verifyWebhook({ body: '{}', headers, secret: 'whsec_AAAA' }).catch((error) => error.name);
console.log(JSON.stringify({ models: data.length > 3, tokens: tokens.length > 0, code, forged }));
`;

test.each([
  ['node', []],
  ['deno', ['run', '--allow-net', '--allow-read']],
  ['bun', ['run']],
])('%s runs the same program with it', async (name, args) => {
  const program = name === 'node' ? process.execPath : await fetchRuntime(name);
  const daemon = await startDaemon();
  const folder = temporaryFolder();
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'program.mjs');
  writeFileSync(file, PROGRAM);
  const { stdout } = await execa(program, [...args, file, daemon.baseURL, daemon.key], {
    cwd: folder,
    env: { DENO_DIR: join(folder, 'deno'), NO_COLOR: '1' },
  });
  expect(JSON.parse(stdout)).toEqual({
    models: true,
    tokens: true,
    code: 'insufficient_scope',
    forged: 'WebhookVerificationError',
  });
});

const WORKER = `
import { createClient, verifyWebhook } from 'client.js';
async function run({ daemon, apiKey, busy, signed }) {
  const client = createClient({ baseURL: daemon, apiKey });
  const { data } = await client.models.list();
  const ranking = [];
  const query = { model: 'svc-rerank-v1', query: 'fruit', documents: ['an apple', 'a car'] };
  for await (const event of client.texts.rerankEvents(query)) ranking.push(event);
  const { count } = await createClient({ baseURL: busy }).texts.tokenize({ content: 'hello' });
  const { type } = await verifyWebhook(signed);
  const forged = await verifyWebhook({ ...signed, body: signed.body + ' ' }).catch((error) => error.name);
  return { models: data.length > 3, results: ranking.at(-1).results.length, count, type, forged };
}
export default { fetch: async (request) => Response.json(await run(await request.json())) };
`;

const CONFIG = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = (
      modules = [(name = "worker.js", esModule = embed "worker.js"), (name = "client.js", esModule = embed "client.js")],
      compatibilityDate = "2026-01-01")),
    (name = "internet", network = (allow = ["local", "private"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")]);
`;

/** A worker in Cloudflare's runtime, with nothing from Node; returns its URL. */
async function startWorker(): Promise<string> {
  const [program, code] = await Promise.all([fetchRuntime('workerd'), bundle()]);
  const folder = temporaryFolder();
  mkdirSync(folder, { recursive: true });
  const files = { 'worker.js': WORKER, 'client.js': code, 'config.capnp': CONFIG };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const running = execa(program, ['serve', 'config.capnp', '--control-fd=3'], {
    cwd: folder,
    reject: false,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });
  onTestFinished(async () => {
    running.kill();
    await running;
  });
  const lines = createInterface(running.stdio[3]);
  const line = await Promise.race([once(lines, 'line'), running.then(({ stderr }) => [stderr])]);
  return `http://127.0.0.1:${(JSON.parse(String(line[0])) as { port: number }).port}`;
}

test('a worker at the edge calls routes, reads events, retries and verifies webhooks', async () => {
  const daemon = await startDaemon();
  const busy = await scriptedServer((_, response) => {
    if (busy.seen.length > 1) return sendJson(response, 200, { count: 1, tokens: [5] });
    response.writeHead(503, { 'retry-after': '0' }).end();
  });
  const secret = newWebhookSecret();
  const body = JSON.stringify({ type: 'webhook.test', timestamp: '2026-01-01T00:00:00Z', data: {} });
  const timestampSeconds = Math.floor(Date.now() / 1000);
  const headers = signWebhook({ id: 'evt_1', timestampSeconds, body, secrets: [secret] });
  const response = await fetch(await startWorker(), {
    method: 'POST',
    body: JSON.stringify({
      daemon: daemon.baseURL,
      apiKey: daemon.key,
      busy: busy.url,
      signed: { body, headers, secret },
    }),
  });
  expect(await response.json()).toEqual({
    models: true,
    results: 2,
    count: 1,
    type: 'webhook.test',
    forged: 'WebhookVerificationError',
  });
  expect(busy.seen).toHaveLength(2);
  expect(busy.seen[1]?.headers['idempotency-key']).toBe(busy.seen[0]?.headers['idempotency-key']);
});
