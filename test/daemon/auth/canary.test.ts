import { readFileSync, statSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { createCanaries, filesIn } from '../../helpers/accounts/canaries.ts';
import { eventually, hello, openDaemonWith } from '../../helpers/daemon/chat.ts';
import type { Reply } from '../../helpers/daemon/daemon.ts';
import { scriptedModel } from '../../helpers/models/models.ts';
import { scriptedServer, sendEvent, sendJson, type Answer } from '../../helpers/servers/scripted-server.ts';
import { loginCode, OWN_PAGE, setCookieOf } from '../../helpers/accounts/sessions.ts';
import { receiver } from '../../helpers/servers/webhooks.ts';

const PROMPT = 'marmalade-zeppelin-prompt-4711';
const UPSTREAM_KEY = 'plain-upstream-password-0815-canary';
const IDEMPOTENCY_KEY = 'idempotency-canary-5f1c0b7d';

type Options = { body?: unknown; token?: string | null; headers?: Record<string, string> };

test('no secret and no prompt appears anywhere but in the answer that shows it once and in the files made for it', async () => {
  const watched = await watch();
  const { canaries, daemon, ask } = watched;
  const hook = await openHook(watched);
  const keys = await useKeys(watched);
  await useSessions(watched);
  await useCheckout(watched);
  await useUpstream(watched);
  await useChat(watched, keys);
  const secrets = watched.secrets();
  expect(secrets.length).toBeGreaterThan(12);
  for (const secret of secrets) await provokeErrors(watched, secret);
  await ask(429, 'GET', '/v1/models', { token: 'ask_'.padEnd(47, 'x') }, { until: true });

  await eventually(() => hook.types()).toEqual(expect.arrayContaining(['api_key.created', 'chat.completed']));
  for (const { headers, body } of hook.deliveries) canaries.saw('a delivery', JSON.stringify(headers) + body);
  const last = (await daemon.call('GET', '/healthz', { token: null })).headers['x-request-id'];
  await eventually(() => readFileSync(daemon.services.settings.paths.log, 'utf8')).toContain(last);
  canaries.sawFolder(daemon.home, { but: /^(root-token|upstreams\/[^/]+\.json)$/ });
  daemon.services.store.prepare('PRAGMA wal_checkpoint(TRUNCATE)').all();
  canaries.sawFolder(daemon.home, { but: /^(root-token|upstreams\/[^/]+\.json)$/ });
  expect(canaries.places()).toEqual(
    expect.arrayContaining([
      'the file askd.db',
      'the file askd.db-wal',
      'the file logs/askd.log',
      'a delivery',
    ]),
  );
  expect(watched.surprises).toEqual([]);
  expect(canaries.leaks()).toEqual([]);
  const modes = filesIn(daemon.home).filter((path) => /root-token|seal-key|upstreams|askd\.log/.test(path));
  expect(modes.map((path) => statSync(path).mode & 0o777)).toEqual(modes.map(() => 0o600));
});

type Watched = Awaited<ReturnType<typeof watch>>;

/** A daemon with its most verbose log level, and a client that keeps every answer for the search. */
async function watch() {
  const canaries = createCanaries();
  const daemon = await openDaemonWith(
    { m: await scriptedModel('A plain answer.') },
    {
      ASKD_LOG_LEVEL: 'trace',
      ASKD_WEBHOOKS_ALLOW_CIDRS: '127.0.0.0/8',
      ASKD_WEBHOOKS_RETRY_WAITS_MS: '10,10',
    },
    throwOnRequest,
  );
  onTestFinished(daemon.close);
  const shaped: string[] = [];
  const surprises: string[] = [];
  const knows = (name: string, secret: string): string => {
    shaped.push(canaries.knows(name, secret));
    return secret;
  };
  knows('the root token', daemon.services.rootToken.current());
  knows('the first key', daemon.key);
  canaries.knows('the prompt', PROMPT);
  canaries.knows('the key of the upstream', UPSTREAM_KEY);
  canaries.knows('the idempotency key', IDEMPOTENCY_KEY);
  canaries.knows('the seal key', readFileSync(daemon.services.settings.paths.sealKey, 'latin1').trim());

  async function ask(
    status: number,
    method: string,
    path: string,
    options: Options = {},
    { until = false } = {},
  ) {
    let reply: Reply;
    do reply = await daemon.call(method, path, options);
    while (until && reply.status !== status);
    canaries.sawReply(`${method} ${path.slice(0, 24)}`, reply);
    if (reply.status !== status)
      surprises.push(`${method} ${path}: ${reply.status}, not ${status}: ${reply.text}`);
    return reply;
  }
  /** The answers that may show a secret are not searched. */
  async function shows<Body>(status: number, method: string, path: string, options: Options = {}) {
    const reply = await daemon.call(method, path, options);
    expect([method, path, reply.status, reply.text]).toEqual([method, path, status, reply.text]);
    return { reply, body: reply.json<Body>() };
  }
  return { canaries, daemon, surprises, ask, shows, knows, secrets: () => [...shaped] };
}

/** A bug in the program, with a secret in its text. */
function throwOnRequest(server: FastifyInstance): void {
  server.post('/v1/fault', (request) => {
    const { secret } = request.body as { secret: string };
    throw Object.assign(new Error(`cannot work with ${secret}`), {
      detail: { secret },
      cause: new Error(secret),
    });
  });
}

/** It echoes its secret and a key, as receivers with a debug page do. */
async function openHook({ ask, shows, knows, daemon }: Watched) {
  let sent = '';
  const hook = await receiver({ behave: (_delivery, response) => void response.end(`debug: ${sent}`) });
  const { body } = await shows<{ webhook: { id: string }; secret: string }>(201, 'POST', '/api/webhooks', {
    body: {
      name: 'hook',
      url: hook.url,
      events: ['api_key.created', 'api_key.deleted', 'chat.started', 'chat.completed'],
    },
  });
  sent = `${knows('the first webhook secret', body.secret)} ${daemon.key}`;
  const path = `/api/webhooks/${body.webhook.id}`;
  const rotated = await shows<{ secret: string }>(200, 'POST', `${path}/rotate-secret`);
  sent += ` ${knows('the second webhook secret', rotated.body.secret)}`;
  await ask(200, 'POST', `${path}/test`);
  await ask(200, 'GET', path);
  const list = await ask(200, 'GET', `${path}/deliveries`);
  const [delivery] = list.json<{ deliveries: { event_id: string }[] }>().deliveries;
  const detail = await ask(200, 'GET', `${path}/deliveries/${delivery?.event_id}`);
  expect(detail.text).toContain('debug: whsec_[redacted]');
  await ask(200, 'GET', '/api/webhooks');
  return hook;
}

async function useKeys({ ask, shows, knows, daemon }: Watched) {
  type Created = { id: string; key: string };
  const make = { body: { name: 'kept' }, headers: { 'idempotency-key': IDEMPOTENCY_KEY } };
  const { body: kept } = await shows<Created>(201, 'POST', '/api/keys', make);
  knows('a key kept under an idempotency key', kept.key);
  const replayed = await shows<Created>(201, 'POST', '/api/keys', make);
  expect([replayed.reply.headers['idempotent-replayed'], replayed.body.key]).toEqual(['true', kept.key]);
  await ask(422, 'POST', '/api/keys', { ...make, body: { name: kept.key } });
  const { body: plain } = await shows<Created>(201, 'POST', '/api/keys', { body: { name: 'plain' } });
  knows('a key', plain.key);
  const { body: next } = await shows<Created>(201, 'POST', `/api/keys/${plain.id}/rotate`, { body: {} });
  knows('a rotated key', next.key);
  const inAnHour = new Date(Date.now() + 3_600_000).toISOString();
  const { body: brief } = await shows<Created>(201, 'POST', '/api/keys', {
    body: { name: 'brief', expires_at: inAnHour },
  });
  knows('an expired key', brief.key);
  daemon.services.store.prepare('UPDATE api_keys SET expires_at = 1000 WHERE id = ?').run(brief.id);
  await ask(401, 'GET', '/v1/models', { token: brief.key });
  const { body: gone } = await shows<Created>(201, 'POST', '/api/keys', { body: { name: 'gone' } });
  knows('a revoked key', gone.key);
  await ask(200, 'DELETE', `/api/keys/${gone.id}`);
  await ask(401, 'GET', '/v1/models', { token: gone.key });
  await ask(401, 'GET', '/v1/models', { token: `${next.key}x` });
  await ask(401, 'GET', '/api/keys', { token: next.key });
  await ask(403, 'POST', '/v1/wallet/top-up', { token: next.key, body: { amount: 5 } });
  await ask(200, 'GET', '/api/keys');
  return { key: next.key };
}

async function useSessions({ daemon, ask, shows, knows }: Watched): Promise<void> {
  const code = knows('a login code', await loginCode(daemon));
  const log = { token: null, body: { code }, headers: OWN_PAGE };
  const { reply } = await shows(201, 'POST', '/api/login', log);
  expect(reply.text).not.toContain('asksess_');
  const cookie = setCookieOf(reply).split(';')[0] ?? '';
  knows('a session', cookie.split('=')[1] ?? '');
  await ask(401, 'POST', '/api/login', log);
  knows('an unused login code', await loginCode(daemon));
  await ask(200, 'GET', '/api/sessions', { token: null, headers: { cookie, ...OWN_PAGE } });
  await ask(403, 'POST', '/api/keys', {
    token: null,
    body: {},
    headers: { cookie, origin: 'http://evil.example' },
  });
  const { body } = await shows<{ cookie: string }>(201, 'POST', '/api/sessions');
  knows('a script session', body.cookie.split('=')[1] ?? '');
  await ask(200, 'GET', '/api/keys', { token: null, headers: { cookie: body.cookie } });
  await ask(200, 'DELETE', '/api/sessions');
  await ask(401, 'GET', '/api/keys', { token: null, headers: { cookie } });
}

async function useCheckout({ daemon, ask, shows, knows }: Watched): Promise<void> {
  const { body } = await shows<{ checkout_url: string }>(200, 'POST', '/v1/wallet/top-up', {
    body: { amount: 5 },
  });
  const { pathname } = new URL(body.checkout_url);
  knows('a checkout address', pathname.split('/').at(-1) ?? '');
  await ask(200, 'GET', pathname, { token: null });
  // Its answer redirects the browser to the address that it came from.
  expect((await daemon.call('POST', pathname, { token: null })).status).toBe(303);
  await ask(200, 'GET', pathname, { token: null });
  await ask(404, 'GET', `${pathname}x`, { token: null });
  await ask(200, 'GET', '/v1/wallet/transactions');
}

/** Its servers echo the key in every kind of refusal. */
async function useUpstream({ ask, daemon }: Watched): Promise<void> {
  let answer: Answer = () => undefined;
  const server = await scriptedServer((request, response) => answer(request, response));
  const base = { base_urls: [`${server.url}/v1`], model: 'm', tasks: ['chat'], key: UPSTREAM_KEY };
  await ask(201, 'POST', '/api/daemon/upstreams', { body: { id: 'up', ...base } });
  await ask(409, 'POST', '/api/daemon/upstreams', { body: { id: 'm', ...base } });
  await ask(400, 'POST', '/api/daemon/upstreams', { body: { id: 'up2', ...base, tasks: [] } });
  await ask(400, 'POST', '/api/daemon/upstreams', {
    body: { id: 'up2', ...base, key: UPSTREAM_KEY.repeat(40) },
  });
  await ask(400, 'POST', '/api/daemon/upstreams', { body: { id: 'up2', ...base, key: [UPSTREAM_KEY] } });
  await ask(400, 'POST', '/api/daemon/upstreams', { body: `{"id": "up2", "key": "${UPSTREAM_KEY}` });
  const chat = { token: daemon.key, body: { model: 'up', messages: hello } };
  const refusals = [
    [401, 502],
    [404, 502],
    [400, 400],
    [422, 400],
    [429, 503],
    [500, 503],
  ] as const;
  for (const [status, expected] of refusals) {
    answer = ({ headers }, response) =>
      sendJson(response, status, {
        error: { message: `wrong: ${headers.authorization}`, param: UPSTREAM_KEY },
      });
    await ask(expected, 'POST', '/v1/chat/completions', chat);
  }
  answer = ({ headers }, response) => {
    sendEvent(response, { error: { message: `wrong: ${headers.authorization}` } });
    response.end();
  };
  await ask(502, 'POST', '/v1/chat/completions', chat);
  expect(server.seen.length).toBeGreaterThanOrEqual(refusals.length);
}

async function useChat({ ask, daemon }: Watched, { key }: { key: string }): Promise<void> {
  const messages = [{ role: 'user', content: PROMPT }];
  const chat = (status: number, body: unknown, headers = {}) =>
    ask(status, 'POST', '/v1/chat/completions', { token: key, body, headers });
  const whole = { model: 'm', messages };
  await chat(200, whole);
  await chat(200, { ...whole, stream: true });
  await chat(200, whole, { 'idempotency-key': `${IDEMPOTENCY_KEY}-chat` });
  await chat(200, whole, { 'idempotency-key': `${IDEMPOTENCY_KEY}-chat` });
  await chat(404, { ...whole, model: 'none' });
  await chat(400, { ...whole, temperature: 99 });
  await chat(400, { ...whole, messages: [{ role: 'user', content: { text: PROMPT } }] });
  await chat(400, { ...whole, messages: [{ role: 'user', content: PROMPT.repeat(5_000) }] });
  await chat(400, `{"messages": [{"role": "user", "content": "${PROMPT}`);
  await chat(400, `${PROMPT}`);
  await chat(400, whole, { 'idempotency-key': `${IDEMPOTENCY_KEY} with a space` });
  expect(daemon.services.store.prepare('SELECT id FROM usage').all().length).toBeGreaterThan(2);
}

/** A secret pasted into the wrong place appears neither in the answer nor in the log. */
async function provokeErrors({ ask }: Watched, secret: string): Promise<void> {
  const inPath = encodeURIComponent(secret);
  await ask(400, 'POST', '/api/keys', { body: { name: 'x', [secret]: 1 } });
  await ask(400, 'POST', '/api/keys', { body: { name: 'x', scopes: [secret] } });
  await ask(400, 'POST', '/api/keys', { body: { name: 'x', expires_at: secret } });
  await ask(400, 'POST', '/api/keys', { body: `{"name": ${secret}` });
  await ask(400, 'POST', '/api/webhooks', { body: { name: 'x', url: secret, events: ['chat.started'] } });
  await ask(400, 'POST', '/v1/wallet/top-up', { body: { amount: secret } });
  await ask(404, 'POST', '/v1/chat/completions', { body: { model: secret, messages: hello } });
  await ask(400, 'GET', `/v1/wallet/transactions?limit=${inPath}`);
  await ask(400, 'GET', `/v1/wallet/transactions?${inPath}=1`);
  await ask(404, 'GET', `/v1/models/${inPath}`);
  await ask(404, 'GET', `/v1/nothing/${inPath}?${inPath}`);
  await ask(
    404,
    'GET',
    `/v1/nothing/${secret.replace(/^./, (first) => `%${first.charCodeAt(0).toString(16)}`)}`,
  );
  await ask(404, 'DELETE', `/api/keys/${inPath}`);
  await ask(404, 'DELETE', `/api/sessions/${inPath}`);
  await ask(404, 'GET', `/api/webhooks/${inPath}`);
  await ask(405, 'PUT', `/api/keys/${inPath}`);
  await ask(403, 'GET', '/v1/models', { headers: { host: `${secret}.example` } });
  await ask(403, 'GET', '/v1/models', { headers: { origin: `http://${secret}` } });
  await ask(400, 'POST', '/api/keys', {
    body: { name: 'x' },
    headers: { 'idempotency-key': `${secret} ` + 'x y' },
  });
  await ask(415, 'POST', '/api/keys', { body: '{}', headers: { 'content-type': secret } });
  await ask(201, 'POST', '/api/sessions', { headers: { 'user-agent': secret } });
  await ask(500, 'POST', '/v1/fault', { body: { secret } });
}
