import { expect, test } from 'vitest';
import { hubModel } from '../../../../models/catalog/hub-model.ts';
import { sha256 } from '../../../../scripts/hub/hub.ts';
import { startDaemon } from '../../../helpers/daemon/daemon.ts';
import { startHub } from '../../../helpers/servers/hub.ts';
import { temporaryFolder } from '../../../helpers/temporary.ts';

type Listed = { local: { state: string } };

function entry(id: string, tier: 'small' | 'standard', content: string) {
  const file = { role: 'model', repo: `org/${id}`, path: 'm.gguf', bytes: content.length };
  return hubModel({
    id,
    name: id,
    engine: 'llama',
    tasks: ['chat'],
    services: ['svc-chat-v1'],
    tier,
    licence: 'MIT',
    contextTokensMax: 2048,
    hub: [{ ...file, sha256: sha256(Buffer.from(content)) }],
    verified: {},
  });
}

/** A daemon whose catalogue has two chat models, with a hub that has these files. */
async function withCatalog(files: Record<string, string>) {
  const hub = await startHub();
  for (const [repo, content] of Object.entries(files)) hub.add(repo, { 'm.gguf': Buffer.from(content) });
  const catalog = [entry('chat-large', 'standard', 'promised'), entry('chat-small', 'small', 'little')];
  return startDaemon({ ...hub.environment(temporaryFolder()), ASKD_STARTER: 'off' }, { catalog });
}

test.each([
  ['is gone from the hub', {}, 'hub_not_found'],
  ['is another one than promised', { 'org/chat-large': 'replaced' }, 'download_damaged'],
])(
  'a model whose file %s is refused with the next best suggested, and serves nothing',
  async (_what, files, code) => {
    const daemon = await withCatalog({ 'org/chat-small': 'little', ...files });
    const answer = await daemon.call('POST', '/api/daemon/pulls', {
      body: { model: 'svc-chat-v1', tier: 'standard' },
    });
    const { error } = answer.json<{ error: { code: string; message: string } }>();
    expect(error.code).toBe(code);
    expect(error.message).toMatch(/\. Another model for the same purpose: askd pull chat-small \(\d+ B\)$/);
    const model = await daemon.call('GET', '/v1/models/svc-chat-v1');
    expect(model.json<Listed>().local).toMatchObject({ state: 'not_installed' });
    expect((await daemon.call('GET', '/api/daemon/pulls')).json()).toMatchObject({ pulls: [] });
  },
);

test('a model that is the only one for its service is refused without a suggestion', async () => {
  const hub = await startHub();
  const catalog = [entry('chat-large', 'standard', 'promised')];
  const daemon = await startDaemon(hub.environment(temporaryFolder()), { catalog });
  const answer = await daemon.call('POST', '/api/daemon/pulls', { body: { model: 'chat-large' } });
  const { error } = answer.json<{ error: { code: string; message: string } }>();
  expect(error.code).toMatch(/^hub_/);
  expect(error.message).not.toContain('Another model');
});
