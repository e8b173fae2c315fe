import { mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { PullAnswer } from '../../../../src/api/management/library.ts';
import { hubModel } from '../../../../models/catalog/hub-model.ts';
import { sha256, type Hub } from '../../../../scripts/hub/hub.ts';
import { startDaemon } from '../../../helpers/daemon/daemon.ts';
import { besideHub, REPO } from '../../../helpers/daemon/beside-hub.ts';
import { startHub } from '../../../helpers/servers/hub.ts';
import { scriptedModel } from '../../../helpers/models/models.ts';
import { temporaryFolder } from '../../../helpers/temporary.ts';

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
/** The header is read first. The faults after it concern the download. */
const HEADER_IS_SENT = { kind: 'drip', bytesPerSecond: 1e9 } as const;

describe('faults that recover by themselves', () => {
  const cases: [string, (hub: Hub) => void, env?: Record<string, string>][] = [
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
    [
      'a store that drips',
      (hub) => hub.fail(NAME, { kind: 'drip', bytesPerSecond: 300 }),
      { ASKD_DOWNLOAD_STALL_MS: '1000' },
    ],
  ];

  test.each(cases)('%s', async (_what, arrange, env = {}) => {
    const { hub, cache, model, pull } = await besideHub({ env });
    hub.fail(NAME, HEADER_IS_SENT);
    arrange(hub);
    expect(await pull({ model: `hf:${REPO}` })).toMatchObject({ state: 'done', error: null });
    const link = join(cache, 'models--someone--tiny-GGUF', 'snapshots', hub.commit, 'tiny-Q4_K_M.gguf');
    expect(readFileSync(link).equals(readFileSync(model.path))).toBe(true);
    expect(readdirSync(join(cache, 'models--someone--tiny-GGUF', 'blobs'))).toHaveLength(1);
  });
});

test('a file list of many pages is read to its end', async () => {
  const { hub, model, pull } = await besideHub({ hub: { filesPerPage: 3 } });
  const others = Object.fromEntries([...'abcdefgh'].map((name) => [`docs/${name}.txt`, name]));
  hub.add('someone/many', { ...others, 'last-Q8_0.gguf': readFileSync(model.path) });
  expect(await pull({ model: 'hf:someone/many' })).toMatchObject({ state: 'done' });
  expect(hub.asked.filter(({ url }) => url.includes('/tree/'))).toHaveLength(4);
});

describe('faults that do not recover', () => {
  test('content that is wrong twice is thrown away, and the download says so', async () => {
    const { hub, cache, pull } = await besideHub();
    hub.fail(NAME, HEADER_IS_SENT);
    hub.fail(NAME, { kind: 'wrong-bytes' }, 1000);
    expect(await pull({ model: `hf:${REPO}` })).toMatchObject({
      state: 'failed',
      error: { code: 'download_damaged', message: expect.stringContaining('failed verification twice') },
    });
    expect(readdirSync(join(cache, 'models--someone--tiny-GGUF', 'blobs'))).toEqual([]);
  });

  test('a file that is shorter than the hub says is not taken', async () => {
    const { hub, pull } = await besideHub();
    hub.fail(NAME, HEADER_IS_SENT);
    hub.fail(NAME, { kind: 'short-file', bytes: 20_000 }, 1000);
    expect(await pull({ model: `hf:${REPO}` })).toMatchObject({
      state: 'failed',
      error: { code: 'download_damaged' },
    });
  });

  test('an unreachable store is given up with the reason, and the next pull continues where it was', async () => {
    const { hub, model, pull } = await besideHub({ env: { ASKD_DOWNLOAD_CONNECTIONS: '1' } });
    const bytes = readFileSync(model.path).length;
    hub.fail(NAME, HEADER_IS_SENT);
    hub.fail(NAME, { kind: 'cut', afterBytes: 20_000 });
    hub.fail(NAME, { kind: 'status', status: 502 }, 6);
    expect(await pull({ model: `hf:${REPO}` })).toMatchObject({
      state: 'failed',
      error: { code: 'hub_unreachable', message: expect.stringContaining('502') },
    });
    expect(await pull({ model: `hf:${REPO}` })).toMatchObject({ state: 'done' });
    const sent = hub.served.reduce((sum, { start, end }) => sum + end - start, 0);
    // Each of the two pulls reads the header as well.
    expect(sent).toBeLessThanOrEqual(bytes + 16_384 + 2 * 65_536);
  });

  test('each refusal of the hub is reported before anything is downloaded, with what to do', async () => {
    const { hub, daemon } = await besideHub({ hub: { token: 'secret' }, env: { HF_TOKEN: 'secret' } });
    hub.add('someone/gated-GGUF', { 'm-Q8_0.gguf': Buffer.alloc(10) });
    hub.gate('someone/gated-GGUF');
    hub.add('someone/closed-GGUF', { 'm-Q8_0.gguf': Buffer.alloc(10) }, 'llama3.1');
    hub.add('someone/onnx-only', { 'model.onnx': Buffer.alloc(10) });
    const cases: [string, number, string, string][] = [
      [
        'hf:someone/gated-GGUF',
        403,
        'hub_access_denied',
        `the account of your token: ${hub.url}/someone/gated-GGUF`,
      ],
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

  test('a wrong token and a wrong name have different errors', async () => {
    const { daemon } = await besideHub({ hub: { token: 'secret' }, env: { HF_TOKEN: 'wrong' } });
    const reply = await daemon.call('POST', '/api/daemon/pulls', { body: { model: `hf:${REPO}` } });
    expect([reply.status, reply.json()]).toMatchObject([403, { error: { code: 'hub_access_denied' } }]);
    expect(reply.text).toContain('askd secrets set hub_token');
  });
});

test('the token goes to the hub and never to the store behind it', async () => {
  const { hub, pull } = await besideHub({ hub: { token: 'secret' }, env: { HF_TOKEN: 'secret' } });
  expect(await pull({ model: `hf:${REPO}` })).toMatchObject({ state: 'done' });
  expect(new Set(hub.asked.map(({ authorization }) => authorization))).toEqual(new Set(['Bearer secret']));
  expect(new Set(hub.served.map(({ authorization }) => authorization))).toEqual(new Set([undefined]));
});

describe('what is already on this machine', () => {
  test("another program's file is used in place, if its hash is right, and stays when the model is removed", async () => {
    const { hub, cache, model, daemon, pull } = await besideHub();
    const content = readFileSync(model.path);
    const blobs = join(cache, 'none', 'blobs');
    mkdirSync(blobs, { recursive: true });
    writeFileSync(join(blobs, `sha256-${sha256(content)}`), content);
    expect(await pull({ model: `hf:${REPO}` })).toMatchObject({ state: 'done' });
    expect(hub.served).toEqual([]);
    const id = `hf:${REPO}/tiny-Q4_K_M.gguf`;
    const found = join(blobs, `sha256-${sha256(content)}`);
    expect(daemon.services.library.findArtifact(id)?.path).toBe(found);
    const removed = await daemon.call('POST', '/api/daemon/remove', { body: { model: id } });
    expect(removed.json()).toEqual({ id, freed_bytes: 0, kept: [found] });
  });

  test('a file of the same name and size with other content is not mistaken for it', async () => {
    const { hub, cache, model, pull } = await besideHub();
    const content = Buffer.from(readFileSync(model.path));
    const blobs = join(cache, 'models--someone--tiny-GGUF', 'blobs');
    mkdirSync(blobs, { recursive: true });
    writeFileSync(
      join(blobs, sha256(content)),
      content.map((byte) => byte ^ 1),
    );
    expect(await pull({ model: `hf:${REPO}` })).toMatchObject({ state: 'done' });
    expect(hub.served.length).toBeGreaterThan(0);
    expect(sha256(readFileSync(join(blobs, sha256(content))))).toBe(sha256(content));
  });

  test('files in the shared cache are installed without a network', async () => {
    const { hub, daemon, pull } = await besideHub();
    await pull({ model: `hf:${REPO}` });
    const id = `hf:${REPO}/tiny-Q4_K_M.gguf`;
    const { cache } = daemon.services.settings.hub;
    await hub.close();
    const other = await startDaemon({ HF_HUB_CACHE: cache, HF_HUB_OFFLINE: '1', HF_ENDPOINT: hub.url });
    const reply = await other.call('POST', '/api/daemon/pulls', { body: { model: id } });
    expect([reply.status, reply.json()]).toMatchObject([
      200,
      { pull: null, artifact: { id, is_present: true } },
    ]);
  });

  test('bytes that two artifacts share stay until the last of them is removed', async () => {
    const { hub, cache, model, daemon, pull } = await besideHub();
    hub.add(REPO, { 'same-Q8_0.gguf': readFileSync(model.path) });
    await pull({ model: `hf:${REPO}:Q4_K_M` });
    await pull({ model: `hf:${REPO}:Q8_0` });
    const remove = async (name: string) =>
      (await daemon.call('POST', '/api/daemon/remove', { body: { model: `hf:${REPO}/${name}` } })).json<{
        freed_bytes: number;
      }>().freed_bytes;
    expect(await remove('tiny-Q4_K_M.gguf')).toBe(0);
    const blobs = join(cache, 'models--someone--tiny-GGUF', 'blobs');
    expect(readdirSync(blobs)).toHaveLength(1);
    expect(await remove('same-Q8_0.gguf')).toBe(readFileSync(model.path).length);
    expect(readdirSync(cache)).toEqual([]);
  });
});

test('a service gets the artifact of its tier, is shown as downloading, and serves when it is there', async () => {
  const hub = await startHub({ bytesPerSecond: 40_000 });
  const content = readFileSync((await scriptedModel('Served by tier.')).path);
  hub.add('org/small', { 'm.gguf': content });
  const file = {
    role: 'model',
    repo: 'org/small',
    path: 'm.gguf',
    bytes: content.length,
    sha256: sha256(content),
  };
  const small = hubModel({
    id: 'small-coder',
    name: 'Small',
    engine: 'llama',
    tasks: ['chat'],
    services: ['svc-code-v1', 'svc-chat-v1'],
    tier: 'small',
    licence: 'MIT',
    contextTokensMax: 2048,
    hub: [file],
    verified: {},
  });
  const daemon = await startDaemon(
    { ...hub.environment(temporaryFolder()), ASKD_DOWNLOAD_PART_BYTES: '16384' },
    { catalog: [small] },
  );
  const body = { model: 'svc-code-v1', tier: 'small' };
  const started = (await daemon.call('POST', '/api/daemon/pulls', { body })).json<PullAnswer>();
  expect(started).toMatchObject({
    service: 'svc-code-v1',
    pull: { artifact: 'small-coder', licence: 'MIT' },
  });
  const local = async (service = 'svc-code-v1') =>
    (await daemon.call('GET', `/v1/models/${service}`)).json<{
      local: { state: string; artifact: string };
    }>().local;
  expect(await local()).toMatchObject({ state: 'downloading', artifact: 'small-coder' });
  // Another service joins while it downloads, and gets the artifact too.
  const joined = await daemon.call('POST', '/api/daemon/pulls', { body: { model: 'svc-chat-v1' } });
  expect(joined.json<PullAnswer>()).toMatchObject({ pull: { id: started.pull?.id } });
  await expect.poll(async () => (await local()).state, { timeout: 40_000 }).toBe('ready');
  expect(await local('svc-chat-v1')).toMatchObject({ artifact: 'small-coder' });
});
