import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Pull, PullAnswer } from '../../src/api/library.ts';
import { startDaemon } from '../helpers/daemon.ts';
import { startHub, type HubOptions, type TestHub } from '../helpers/hub.ts';
import { scriptedModel } from '../helpers/models.ts';
import { temporaryFolder } from '../helpers/temporary.ts';

const REPO = 'someone/tiny-GGUF';

/** A daemon beside a hub that has one tiny model. */
async function besideHub({
  env = {},
  hub: options = {},
}: { env?: Record<string, string>; hub?: HubOptions } = {}) {
  const hub = await startHub(options);
  const cache = temporaryFolder();
  const model = await scriptedModel('From the hub.');
  hub.add(REPO, { 'tiny-Q4_K_M.gguf': readFileSync(model.path), 'README.md': '# tiny' });
  const daemon = await startDaemon({
    ...hub.environment(cache),
    ASKD_DOWNLOAD_PART_BYTES: '16384',
    ASKD_DOWNLOAD_RETRY_MS: '5',
    ASKD_DOWNLOAD_STALL_MS: '1000',
    ...env,
  });

  async function pull(body: Record<string, unknown>): Promise<Pull> {
    const reply = await daemon.call('POST', '/api/daemon/pulls', { body });
    const { pull: started } = reply.json<PullAnswer>();
    if (!started) throw new Error(reply.text);
    await expect.poll(() => status(started.id), { timeout: 15_000 }).toMatch(/done|failed|cancelled/);
    return (await daemon.call('GET', `/api/daemon/pulls/${started.id}`)).json<Pull>();
  }
  const status = async (id: string) =>
    (await daemon.call('GET', `/api/daemon/pulls/${id}`)).json<Pull>().state;
  return { hub, cache, model, daemon, pull };
}

test('a model of the hub is downloaded in parts, verified, shared with other tools, and answers', async () => {
  const { hub, cache, model, daemon, pull } = await besideHub();
  const done = await pull({ model: `hf:${REPO}:Q4_K_M` });
  expect(done).toMatchObject({ state: 'done', error: null, bytes_verified: readFileSync(model.path).length });
  expect(hub.served.length).toBeGreaterThan(1);
  const folder = join(cache, 'models--someone--tiny-GGUF');
  expect(readFileSync(join(folder, 'refs', 'main'), 'utf8')).toBe(hub.commit);
  const link = join(folder, 'snapshots', hub.commit, 'tiny-Q4_K_M.gguf');
  expect(readlinkSync(link)).toMatch(/^\.\.\/\.\.\/blobs\/[0-9a-f]{64}$/);
  expect(readFileSync(link).equals(readFileSync(model.path))).toBe(true);
  const id = `hf:${REPO}/tiny-Q4_K_M.gguf`;
  await daemon.call('POST', '/api/daemon/bind', { body: { service: 'svc-chat-v1', artifact: id } });
  const body = { model: 'svc-chat-v1', messages: [{ role: 'user', content: 'hi' }] };
  const answer = await daemon.call('POST', '/v1/chat/completions', { token: daemon.key, body });
  expect(answer.json()).toMatchObject({ choices: [{ message: { content: 'From the hub.' } }] });
});

const NAME = /store.*tiny-Q4_K_M/;

describe('what goes wrong and heals by itself', () => {
  const cases: [string, (hub: TestHub) => void][] = [
    ['a connection that breaks in mid-body', (hub) => hub.fail(NAME, { kind: 'cut', afterBytes: 5000 }, 3)],
    ['a server that ignores the range', (hub) => hub.fail(NAME, { kind: 'ignore-range' })],
    ['a file that comes wrong once', (hub) => hub.fail(NAME, { kind: 'wrong-bytes' })],
    ['a signed address that expires', (hub) => hub.fail(NAME, { kind: 'expired' })],
    ['a store that is overloaded', (hub) => hub.fail(NAME, { kind: 'status', status: 503 }, 3)],
    ['a hub that answers 500', (hub) => hub.fail(/hub.*resolve/, { kind: 'status', status: 500 }, 2)],
    [
      'a hub that asks to wait',
      (hub) =>
        hub.fail(/hub.*resolve/, { kind: 'status', status: 429, headers: { ratelimit: '"api";r=0;t=1' } }),
    ],
    ['a store that drips', (hub) => hub.fail(NAME, { kind: 'drip', bytesPerSecond: 300 })],
  ];

  test.each(cases)('%s', async (_what, arrange) => {
    const { hub, cache, model, pull } = await besideHub();
    arrange(hub);
    expect(await pull({ model: `hf:${REPO}` })).toMatchObject({ state: 'done', error: null });
    const link = join(cache, 'models--someone--tiny-GGUF', 'snapshots', hub.commit, 'tiny-Q4_K_M.gguf');
    expect(readFileSync(link).equals(readFileSync(model.path))).toBe(true);
    expect(readdirSync(join(cache, 'models--someone--tiny-GGUF', 'blobs'))).toHaveLength(1);
  });
});

describe('what goes wrong for good', () => {
  test('content that is wrong twice is thrown away, and the download says so', async () => {
    const { hub, cache, pull } = await besideHub();
    hub.fail(NAME, { kind: 'wrong-bytes' }, 1000);
    expect(await pull({ model: `hf:${REPO}` })).toMatchObject({
      state: 'failed',
      error: { code: 'download_damaged', message: expect.stringContaining('wrong content, twice') },
    });
    expect(readdirSync(join(cache, 'models--someone--tiny-GGUF', 'blobs'))).toEqual([]);
  });

  test('a file that is shorter than the hub says is not taken', async () => {
    const { hub, pull } = await besideHub();
    hub.fail(NAME, { kind: 'short-file', bytes: 20_000 }, 1000);
    expect(await pull({ model: `hf:${REPO}` })).toMatchObject({
      state: 'failed',
      error: { code: 'download_damaged' },
    });
  });

  test('a store that stays away is given up with its reason, and the next pull goes on where it was', async () => {
    const { hub, model, pull } = await besideHub({ env: { ASKD_DOWNLOAD_CONNECTIONS: '1' } });
    const bytes = readFileSync(model.path).length;
    hub.fail(NAME, { kind: 'cut', afterBytes: 20_000 });
    hub.fail(NAME, { kind: 'status', status: 502 }, 6);
    expect(await pull({ model: `hf:${REPO}` })).toMatchObject({
      state: 'failed',
      error: { code: 'hub_unreachable', message: expect.stringContaining('502') },
    });
    expect(await pull({ model: `hf:${REPO}` })).toMatchObject({ state: 'done' });
    const sent = hub.served.reduce((sum, { start, end }) => sum + end - start, 0);
    expect(sent).toBeLessThanOrEqual(bytes + 16_384);
  });

  test('each refusal of the hub is told before anything is downloaded, with what to do', async () => {
    const { hub, daemon } = await besideHub({ hub: { token: 'secret' }, env: { HF_TOKEN: 'secret' } });
    hub.gate('someone/gated-GGUF');
    hub.add('someone/closed-GGUF', { 'm-Q8_0.gguf': Buffer.alloc(10) }, 'llama3.1');
    hub.add('someone/onnx-only', { 'model.onnx': Buffer.alloc(10) });
    const cases: [string, number, string, string][] = [
      ['hf:someone/gated-GGUF', 403, 'hub_access_denied', `Visit ${hub.url}/someone/gated-GGUF`],
      ['hf:someone/nothing', 404, 'hub_not_found', 'no model someone/nothing'],
      [`hf:${REPO}:Q9_X`, 404, 'hub_not_found', 'It has: tiny-Q4_K_M.gguf'],
      [`hf:${REPO}/other.gguf`, 404, 'hub_not_found', 'other.gguf'],
      ['hf:someone/closed-GGUF', 403, 'licence_not_accepted', '--accept-licence'],
      ['hf:someone/onnx-only', 400, 'model_capability_mismatch', 'no GGUF'],
      ['hf:nonsense', 400, 'invalid_value', 'hf:org/repo'],
      ['no-such-model', 404, 'model_not_found', 'askd list --available'],
    ];
    for (const [model, status, code, text] of cases) {
      const reply = await daemon.call('POST', '/api/daemon/pulls', { body: { model } });
      expect([model, reply.status, reply.json()]).toMatchObject([model, status, { error: { code } }]);
      expect(reply.text).toContain(text);
    }
    expect(hub.served).toEqual([]);
  });

  test('a wrong token is told apart from a wrong name', async () => {
    const { daemon } = await besideHub({ hub: { token: 'secret' }, env: { HF_TOKEN: 'wrong' } });
    const reply = await daemon.call('POST', '/api/daemon/pulls', { body: { model: `hf:${REPO}` } });
    expect([reply.status, reply.json()]).toMatchObject([403, { error: { code: 'hub_access_denied' } }]);
    expect(reply.text).toContain('HF_TOKEN');
  });
});

test('the token goes to the hub and never to the store behind it', async () => {
  const { hub, pull } = await besideHub({ hub: { token: 'secret' }, env: { HF_TOKEN: 'secret' } });
  expect(await pull({ model: `hf:${REPO}` })).toMatchObject({ state: 'done' });
  expect(new Set(hub.asked.map(({ authorization }) => authorization))).toEqual(new Set(['Bearer secret']));
  expect(new Set(hub.served.map(({ authorization }) => authorization))).toEqual(new Set([undefined]));
});
