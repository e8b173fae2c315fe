import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { catalog } from '../../../models/catalog.ts';
import { hubModel } from '../../../models/catalog/hub-model.ts';
import { sha256 } from '../../../scripts/hub/hub.ts';
import type { PullAnswer } from '../../../src/api/management/library.ts';
import { homePaths } from '../../../src/base/paths.ts';
import { announce, runCli } from '../../helpers/terminal/cli.ts';
import { startDaemon } from '../../helpers/daemon/daemon.ts';
import { startHub } from '../../helpers/servers/hub.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';

/** A daemon with the starter models, and the notices that translations print. */
async function openNotices() {
  const daemon = await startDaemon();
  announce(daemon);
  const file = homePaths(daemon.home).shownNotices;
  return {
    file,
    translate: async (...flags: string[]) => {
      const { code, stderr } = await runCli(['translate', '--to', 'French', 'Good morning', ...flags], {
        home: daemon.home,
      });
      expect(code).toBe(0);
      return stderr;
    },
  };
}

test('the notice of a starter model is shown once, and again after half a day', async () => {
  const { translate, file } = await openNotices();
  const first = await translate();
  expect(first).toMatch(/^note: A tiny starter model.*\n$/);
  expect(await translate()).toBe('');
  const text = first.replace('note: ', '').trim();
  writeFileSync(file, JSON.stringify({ [text]: Date.now() - 13 * 60 * 60 * 1000 }));
  expect(await translate()).toBe(first);
});

test('while a larger model downloads, the notice says which and how far, and not again as it goes on', async () => {
  const hub = await startHub();
  const content = randomBytes(64_000);
  hub.add('org/larger', { 'm.gguf': content });
  hub.holdAfter(16_384);
  const file = { role: 'model', repo: 'org/larger', path: 'm.gguf', bytes: content.length };
  const larger = hubModel({
    ...{ id: 'larger', name: 'Larger', engine: 'llama', tasks: ['chat'], services: ['svc-chat-v1'] },
    ...{ tier: 'small', licence: 'MIT', contextTokensMax: 2048, verified: {} },
    hub: [{ ...file, sha256: sha256(content) }],
  });
  const daemon = await startDaemon(
    { ...hub.environment(temporaryFolder()), ASKD_DOWNLOAD_PART_BYTES: '16384' },
    { catalog: [...catalog.filter(({ tier }) => tier === 'starter'), larger] },
  );
  announce(daemon);
  const body = { model: 'svc-chat-v1', tier: 'small' };
  const { pull } = (await daemon.call('POST', '/api/daemon/pulls', { body })).json<PullAnswer>();
  const received = () => daemon.services.downloads.find(pull?.id ?? '').bytesReceived;
  await expect.poll(received, { timeout: 40_000 }).toBeGreaterThan(0);
  const ask = async () => (await runCli(['chat', '--no-stream', 'Hello'], { home: daemon.home })).stderr;
  expect(await ask()).toMatch(/^note: .*starter model.*\. Larger is downloading: \d+% of 6[\d.]+ KB\.\n/);
  const before = received();
  hub.holdAfter(48_000);
  await expect.poll(received, { timeout: 40_000 }).toBeGreaterThan(before);
  expect(await ask()).not.toContain('downloading');
});

test('a quiet command does not use up the notice, and a broken file of notices only shows it again', async () => {
  const { translate, file } = await openNotices();
  expect(await translate('--quiet')).toBe('');
  const first = await translate();
  expect(first).toContain('starter model');
  writeFileSync(file, 'no JSON');
  expect(await translate()).toBe(first);
});
