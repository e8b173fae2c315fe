import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startDaemon } from '../../../../helpers/daemon/daemon.ts';
import { eventually, hello, openDaemonWith, type ChatDaemon } from '../../../../helpers/daemon/chat.ts';
import { randomModel } from '../../../../helpers/models/models.ts';

let daemon: ChatDaemon;
beforeAll(async () => {
  daemon = await openDaemonWith({ m: { path: (await randomModel('llama')).path } });
});
afterAll(() => daemon.close());

async function read(): Promise<string> {
  return (await daemon.call('GET', '/metrics', { token: daemon.key })).text;
}

/** The sum of the series of this name whose labels contain all of these. */
async function valueOf(name: string, ...labels: string[]): Promise<number> {
  const lines = (await read())
    .split('\n')
    .filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));
  const wanted = lines.filter((line) => labels.every((label) => line.includes(label)));
  return wanted.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}

describe('the metrics', () => {
  test('show a chat: tokens, times, how it ended and what it cost', async () => {
    const reply = await daemon.chat({ max_tokens: 12, seed: 1, temperature: 0 });
    const { usage } = reply.json<{ usage: { prompt_tokens: number; completion_tokens: number } }>();
    expect(await valueOf('askd_prompt_tokens_total', 'model="m"', 'task="chat"')).toBe(usage.prompt_tokens);
    expect(await valueOf('askd_generation_tokens_total', 'model="m"')).toBe(usage.completion_tokens);
    expect(await valueOf('askd_requests_total', 'model="m"', 'outcome="finished"')).toBe(1);
    for (const name of [
      'time_to_first_token',
      'request_queue_time',
      'request_prefill_time',
      'request_decode_time',
    ])
      expect(await valueOf(`askd_${name}_seconds_count`, 'model="m"'), name).toBe(1);
    expect(await valueOf('askd_e2e_request_latency_seconds_count', 'model="m"')).toBe(1);
    expect(await valueOf('askd_model_loads_total', 'model="m"')).toBe(1);
    expect(await valueOf('askd_model_memory_bytes', 'model="m"')).toBeGreaterThan(0);
    expect(await valueOf('askd_slots', 'model="m"')).toBeGreaterThan(0);
    const route = 'route="/v1/chat/completions"';
    expect(await valueOf('askd_http_requests_total', route, 'model="m"', 'status="200"')).toBe(1);
    expect(await valueOf('askd_http_request_duration_seconds_count', route, 'method="POST"')).toBe(1);
  });

  test('show a prompt that was cached', async () => {
    const messages = [{ role: 'user', content: 'the same long text again and again and again' }];
    const before = await valueOf('askd_prefix_cache_hits_total', 'model="m"');
    for (let turn = 0; turn < 2; turn++) await daemon.chat({ messages, max_tokens: 1 });
    expect(await valueOf('askd_prefix_cache_hits_total', 'model="m"')).toBeGreaterThan(before);
  });

  test('show a runner that crashed and was restarted', async () => {
    await daemon.chat({ max_tokens: 1 });
    const pid = daemon.services.pool.status()[0]?.pid ?? 0;
    process.kill(pid, 'SIGKILL');
    await eventually(() => daemon.services.pool.status()[0]?.pid).not.toBe(pid);
    await daemon.chat({ max_tokens: 1 });
    expect(await valueOf('askd_model_unloads_total', 'model="m"', 'reason="crashed"')).toBe(1);
    expect(await valueOf('askd_runner_restarts_total', 'model="m"')).toBe(1);
  });

  test('show refusals by a limit', async () => {
    const { call } = daemon;
    const limited = await call('POST', '/api/keys', { body: { name: 'slow', rpm: 1 } });
    const { key } = limited.json<{ key: string }>();
    for (let request = 0; request < 2; request++)
      await call('POST', '/v1/chat/completions', {
        token: key,
        body: { model: 'm', messages: hello, max_tokens: 1 },
      });
    expect(await valueOf('askd_rate_limit_refusals_total', 'code="rate_limit_exceeded"')).toBe(1);
    expect(await valueOf('askd_http_requests_total', 'status="429"')).toBe(1);
  });

  test('show errors, and no model or path that a client made up', async () => {
    for (const name of ['made-up-1', 'made-up-2']) {
      await daemon.chat({ model: name });
      await daemon.call('GET', `/v1/${name}`);
      await daemon.call('GET', `/${name}?x=1`);
    }
    await daemon.call('BREW', '/v1/models');
    const text = await read();
    expect(text).not.toContain('made-up');
    expect(await valueOf('askd_http_requests_total', 'route="unknown"', 'status="404"')).toBe(4);
    expect(await valueOf('askd_request_failures_total', 'code="model_not_found"')).toBe(2);
  });

  test('show the daemon itself', async () => {
    for (const name of [
      'askd_process_resident_memory_bytes',
      'askd_process_cpu_seconds_total',
      'askd_build_info',
    ])
      expect(await valueOf(name), name).toBeGreaterThan(0);
    expect(await valueOf('askd_event_loop_lag_seconds', 'quantile="0.99"')).toBeGreaterThanOrEqual(0);
    expect(await valueOf('askd_webhook_deliveries_pending')).toBe(0);
    expect(await read()).toContain('askd_credits_held ');
  });

  test('have names with one prefix, each with help and type', async () => {
    const lines = (await read()).trim().split('\n');
    const names = lines
      .filter((line) => !line.startsWith('#'))
      .map((line) => /^[a-z0-9_]+/.exec(line)?.[0] ?? '');
    expect(names.every((name) => name.startsWith('askd_'))).toBe(true);
    const typed = new Set(lines.flatMap((line) => /^# TYPE (\S+)/.exec(line)?.[1] ?? []));
    const family = (name: string) => (typed.has(name) ? name : name.replace(/_(bucket|sum|count)$/, ''));
    expect(names.filter((name) => !typed.has(family(name)))).toEqual([]);
  });
});

describe('who may read them', () => {
  const chatKey = () =>
    daemon.services.keys.create({ accountId: 'acct_local', name: 'chat', scopes: ['chat'], expiresAt: null })
      .key;

  test('a key with the scope read, and nobody without one', async () => {
    expect((await daemon.call('GET', '/metrics', { token: daemon.key })).headers['content-type']).toBe(
      'text/plain; version=0.0.4; charset=utf-8',
    );
    expect((await daemon.call('GET', '/metrics', { token: null })).status).toBe(401);
    expect((await daemon.call('GET', '/metrics', { token: chatKey() })).status).toBe(403);
  });

  test('every program on this machine once the owner allows it, but no browser and nothing behind a proxy', async () => {
    const open = await startDaemon({ ASKD_METRICS_LOCAL: 'on' });
    const ask = (headers: Record<string, string>) => open.call('GET', '/metrics', { token: null, headers });
    expect((await ask({})).status).toBe(200);
    expect((await ask({ 'sec-fetch-site': 'none' })).status).toBe(401);
    expect((await ask({ origin: `http://127.0.0.1:${open.port}` })).status).toBe(401);
    expect((await ask({ 'x-forwarded-for': '10.0.0.1' })).status).toBe(401);
    expect((await ask({ authorization: 'Bearer wrong' })).status).toBe(401);
    expect((await open.call('GET', '/v1/wallet/balance', { token: null })).status).toBe(401);
  });
});
