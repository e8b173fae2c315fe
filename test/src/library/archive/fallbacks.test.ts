import { createHash } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../../../../src/base/paths.ts';
import { parseContents, type Contents } from '../../../../src/library/archive/contents.ts';
import { startDaemon, type TestDaemon } from '../../../helpers/daemon/daemon.ts';
import { contentsOf, tarOf } from '../../../helpers/models/archives.ts';
import { randomModel } from '../../../helpers/models/models.ts';
import { temporaryFolder } from '../../../helpers/temporary.ts';

const OFFLINE = { ASKD_OFFLINE: '1' };

/** The last event of the export or import. */
async function run(daemon: TestDaemon, path: string, body: object) {
  const { text } = await daemon.call('POST', path, { body });
  return JSON.parse([...text.matchAll(/^data: (.+)$/gm)].at(-1)?.[1] ?? '{}') as Record<string, unknown>;
}

const importFrom = (daemon: TestDaemon, path: string) => run(daemon, '/api/daemon/import-archive', { path });

/** A home with two chat models and an embedder; one chat model serves and the other is its fallback. */
async function sender(fallbacks: readonly string[]) {
  const daemon = await startDaemon(OFFLINE);
  const { library } = daemon.services;
  const link = (id: string, path: string) => library.importArtifact({ id, path, mode: 'link' });
  await link('talker', (await randomModel('llama', { contextTokens: 4096 })).path);
  await link('spare', (await randomModel('llama', { contextTokens: 2048 })).path);
  await link('org/words', join(packageRoot, 'models', 'starter', 'embed'));
  library.bind('svc-chat-v1', 'talker');
  library.bind('svc-embed-v1', 'org/words');
  library.setFallbacks('svc-chat-v1', fallbacks);
  return daemon;
}

test('an archive has the fallbacks of a service, in order', async () => {
  const fallbacks = ['starter-chat', 'spare'];
  const [from, to] = [await sender(fallbacks), await startDaemon(OFFLINE)];
  const archive = join(temporaryFolder(), 'models.tar');
  const last = await run(from, '/api/daemon/export', {
    path: archive,
    models: ['svc-chat-v1', 'svc-embed-v1'],
  });
  expect(last).toMatchObject({ models: ['talker', 'spare', 'org/words'] });
  expect(contentsOf(readFileSync(archive)).bindings).toEqual([
    { service: 'svc-chat-v1', artifact: 'talker', fallbacks },
    { service: 'svc-embed-v1', artifact: 'org/words' },
  ]);
  await importFrom(to, archive);
  expect(to.services.library.fallbacksOf('svc-chat-v1')).toEqual(fallbacks);
  rmSync(to.services.library.findArtifact('talker')?.path ?? '');
  const reply = await to.call('POST', '/v1/chat/completions', {
    token: to.key,
    body: { model: 'svc-chat-v1', messages: [{ role: 'user', content: 'hello' }], max_tokens: 4 },
  });
  expect([reply.status, reply.headers['x-askd-fallback']]).toEqual([200, expect.stringContaining('talker')]);
}, 120_000);

test('importing an archive from before fallbacks were included keeps the existing ones', async () => {
  const to = await startDaemon(OFFLINE);
  const content = readFileSync((await randomModel('llama', { contextTokens: 2048 })).path);
  const member = 'files/0001-old.gguf';
  const contents: Contents = {
    ...{ format: 'askd-archive', version: 1 },
    models: [
      {
        manifest: {
          ...{ id: 'old', name: 'old', engine: 'llama', tasks: ['chat'], services: [], tier: 'imported' },
          ...{ licence: 'mit', path: 'old.gguf', bytes: content.length, contextTokensMax: 100 },
        },
        aliases: [],
      },
    ],
    bindings: [{ service: 'svc-chat-v1', artifact: 'old' }],
    files: [
      {
        ...{ member, model: 'old', path: 'old.gguf', bytes: content.length },
        sha256: createHash('sha256').update(content).digest('hex'),
      },
    ],
  };
  const path = join(temporaryFolder(), 'old.tar');
  const list = { path: 'askd-archive.json', body: Buffer.from(JSON.stringify(contents)) };
  writeFileSync(path, tarOf([list, { path: member, body: content }]));
  to.services.library.setFallbacks('svc-chat-v1', ['starter-chat']);
  expect((await importFrom(to, path))['state']).toBe('done');
  const { library } = to.services;
  expect([library.boundArtifact('svc-chat-v1')?.id, library.fallbacksOf('svc-chat-v1')]).toEqual([
    'old',
    ['starter-chat'],
  ]);
}, 120_000);

test('fallbacks that are not a list of names make an archive unusable', () => {
  const manifest = { id: 'm', path: 'm.gguf', tasks: ['chat'] };
  const withFallbacks = (fallbacks: unknown) =>
    JSON.stringify({
      ...{ format: 'askd-archive', version: 1, models: [{ manifest, aliases: [] }], files: [] },
      bindings: [{ service: 'svc-chat-v1', artifact: 'm', fallbacks }],
    });
  expect(parseContents(withFallbacks(['other'])).bindings[0]?.fallbacks).toEqual(['other']);
  for (const wrong of ['other', [1], {}])
    expect(() => parseContents(withFallbacks(wrong))).toThrow('the fallbacks of svc-chat-v1 are not a list');
});
