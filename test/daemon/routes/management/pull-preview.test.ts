import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { startDaemon } from '../../../helpers/daemon/daemon.ts';
import { startHub } from '../../../helpers/servers/hub.ts';
import { architectureModel, scriptedModel } from '../../../helpers/models/models.ts';
import { temporaryFolder } from '../../../helpers/temporary.ts';

const REPO = 'someone/tiny-GGUF';
const NAME = /store.*tiny-Q4_K_M/;
const dryRun = { model: `hf:${REPO}`, dry_run: true };

async function besideHub() {
  const hub = await startHub();
  const cache = temporaryFolder();
  const model = await scriptedModel('From the hub.');
  hub.add(REPO, { 'tiny-Q4_K_M.gguf': readFileSync(model.path) });
  const daemon = await startDaemon({ ...hub.environment(cache), ASKD_DOWNLOAD_RETRY_MS: '5' });
  return { hub, cache, model, daemon };
}

test('a dry run says what the model is, from its header alone', async () => {
  const { hub, cache, model, daemon } = await besideHub();
  const content = Buffer.alloc(20_000_000);
  readFileSync(model.path).copy(content);
  hub.add(REPO, { 'tiny-Q4_K_M.gguf': content });
  const reply = await daemon.call('POST', '/api/daemon/pulls', { body: dryRun });
  expect(reply.json()).toMatchObject({
    artifact: null,
    pull: null,
    preview: {
      bytes: content.length,
      note: null,
      header: {
        architecture: 'llama',
        parameters: expect.stringMatching(/^[\d.]+K$/),
        context_tokens_max: 131_072,
        tasks: ['chat', 'moderate', 'translate'],
        memory_context_tokens: 8192,
        fits: true,
      },
    },
  });
  const sent = hub.served.reduce((sum, { start, end }) => sum + end - start, 0);
  expect(sent).toBeLessThanOrEqual(64 * 1024);
  expect(daemon.services.downloads.list()).toEqual([]);
  expect(readdirSync(cache)).toEqual([]);
});

test('a long header is read in growing ranges, none of them twice', async () => {
  const { hub, daemon } = await besideHub();
  const long = await scriptedModel('Long.', { chatTemplate: `{# ${'x'.repeat(300_000)} #}<|im_start|>` });
  const content = Buffer.concat([readFileSync(long.path), Buffer.alloc(5_000_000)]);
  hub.add(REPO, { 'tiny-Q4_K_M.gguf': content });
  const reply = await daemon.call('POST', '/api/daemon/pulls', { body: dryRun });
  expect(reply.json()).toMatchObject({ preview: { header: { template: 'chatml' } } });
  expect(hub.served.map(({ start, end }) => [start, end])).toEqual([
    [0, 65_536],
    [65_536, 262_144],
    [262_144, 1_048_576],
  ]);
});

test('a dry run of what is refused says what it is, and why', async () => {
  const { hub, model, daemon } = await besideHub();
  const content = Buffer.from(
    readFileSync(model.path).toString('latin1').replaceAll('llama', 'llamx'),
    'latin1',
  );
  hub.add(REPO, { 'tiny-Q4_K_M.gguf': content });
  const reply = await daemon.call('POST', '/api/daemon/pulls', { body: dryRun });
  expect([reply.status, reply.json()]).toMatchObject([
    200,
    {
      preview: {
        header: { architecture: 'llamx', context_tokens_max: 131_072 },
        obstacle: expect.stringContaining('does not know the architecture "llamx"'),
      },
    },
  ]);
});

const replaced = (from: string, to: string) => (content: Buffer) =>
  Buffer.from(content.toString('latin1').replaceAll(from, to), 'latin1');

test.each([
  [
    'an architecture that is newer than the engine',
    replaced('llama', 'llamx'),
    /\(v[\d.]+\) does not know the architecture "llamx"; a newer askd may/,
  ],
  [
    'a model with an encoder and a decoder',
    async () => readFileSync((await architectureModel('t5')).path),
    /it is a t5 model, .*: it has an encoder and a decoder/,
  ],
  ['what is no GGUF file', replaced('GGUF', 'HTML'), /does not start with "GGUF"/],
])('%s is refused with the reason', async (_what, change, reason) => {
  const { hub, model, daemon } = await besideHub();
  const content = await change(readFileSync(model.path));
  hub.add(REPO, { 'tiny-Q4_K_M.gguf': content });
  const reply = await daemon.call('POST', '/api/daemon/pulls', { body: { model: `hf:${REPO}` } });
  expect([reply.status, reply.json()]).toMatchObject([400, { error: { code: 'invalid_model_file' } }]);
  expect(reply.json()).toMatchObject({ error: { message: expect.stringMatching(reason) } });
  expect(daemon.services.downloads.list()).toEqual([]);
});

test.each([
  ['a connection that breaks', { kind: 'cut', afterBytes: 500 }, 'connection'],
  ['a server that is overloaded', { kind: 'status', status: 503 }, '503'],
] as const)('%s hides the header but prevents no pull', async (_what, fault, note) => {
  const { hub, daemon } = await besideHub();
  hub.fail(NAME, fault);
  const reply = await daemon.call('POST', '/api/daemon/pulls', { body: dryRun });
  expect(reply.json()).toMatchObject({ preview: { header: null, note: expect.stringContaining(note) } });
  hub.fail(NAME, fault);
  const started = await daemon.call('POST', '/api/daemon/pulls', { body: { model: `hf:${REPO}` } });
  expect(started.json()).toMatchObject({ pull: { model: `hf:${REPO}` }, preview: { header: null } });
  await expect.poll(() => daemon.services.downloads.list()[0]?.state, { timeout: 40_000 }).toBe('done');
});
