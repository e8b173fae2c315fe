import { copyFileSync } from 'node:fs';
import { describe, expect, test, vi } from 'vitest';
import type { RecommendedModel } from '../../../src/api/management/recommend.ts';
import { offersOf } from '../../../cli/models/first-run.ts';
import { announce, startCli } from '../../helpers/terminal/cli.ts';
import { startDaemon } from '../../helpers/daemon/daemon.ts';
import { homePaths } from '../../../src/base/paths.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';

const model = (service: string, artifact: string, change: Partial<RecommendedModel> = {}) => ({
  service,
  artifact,
  name: artifact,
  reason: 'the best',
  bytes: 1e9,
  memory_bytes: 1e9,
  licence: 'Apache-2.0',
  licence_terms: null,
  expected_tokens_per_second: null,
  measured_tokens_per_second: null,
  is_installed: false,
  is_bound: false,
  ...change,
});

describe('the models that are offered', () => {
  const offered = (models: RecommendedModel[], fits = true) => {
    const { chat, all } = offersOf({ models, fits_on_disk: fits });
    return [chat?.artifact, all.map(({ artifact }) => artifact)];
  };
  const chat = model('svc-chat-v1', 'talker');
  const embed = model('svc-embed-v1', 'embedder');

  test('are the one for chat, and all of them where the disk has room', () => {
    expect(offered([embed, chat])).toEqual(['talker', ['embedder', 'talker']]);
    expect(offered([embed, chat], false)).toEqual(['talker', []]);
  });

  test('have no terms to accept and are not here yet', () => {
    const terms = { summary: 'no', url: 'https://example.com' };
    expect(offered([{ ...chat, is_installed: true }, embed])).toEqual([undefined, ['embedder']]);
    expect(offered([chat, { ...embed, licence_terms: terms }])).toEqual(['talker', ['talker']]);
  });
});

test(
  'askd alone on a terminal asks a few things, each of which can be skipped, and then leaves or chats',
  {
    timeout: 300_000,
  },
  async () => {
    const daemon = await startDaemon();
    // A new home, with a daemon that answers for it.
    const home = temporaryFolder();
    announce({ ...daemon, home });
    copyFileSync(homePaths(daemon.home).rootToken, homePaths(home).rootToken);
    const cli = startCli([], { home });
    const asked = (text: RegExp) =>
      vi.waitFor(() => expect(cli.written().stderr).toMatch(text), { timeout: 200_000 });
    await asked(/How will you use it\?[^]*Enter for 1/);
    cli.type('hosted\r');
    await asked(/SERVICE +MODEL +DOWNLOAD[^]*svc-chat-v1[^]*Download larger ones\?[^]*Enter for 1/);
    cli.type('skip\r');
    await asked(/Start askd automatically[^]*Enter for 1/);
    cli.type('\r');
    await asked(/Start a chat now\?[^]*Enter for 1/);
    cli.type('no\r');
    expect(await cli.exit).toBe(0);
    expect(cli.written().stderr).toMatch(/This machine has [\d.]+ GB of memory/);
    const { profile } = (await daemon.call('GET', '/api/account/tier')).json<{ profile: string }>();
    expect(profile).toBe('hosted');
  },
);

test('the end of the input leaves without a choice', async () => {
  const cli = startCli([]);
  await vi.waitFor(() => expect(cli.written().stderr).toContain('How will you use it?'), 20_000);
  cli.type('\u0004');
  expect(await cli.exit).toBe(130);
});
