import { copyFileSync } from 'node:fs';
import { describe, expect, test, vi } from 'vitest';
import type { CatalogEntry } from '../../../src/api/management/library.ts';
import { proposeModels } from '../../../cli/models/first-run.ts';
import { announce, startCli } from '../../helpers/terminal/cli.ts';
import { startDaemon } from '../../helpers/daemon/daemon.ts';
import { homePaths } from '../../../src/base/paths.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';

const entry = (id: string, gigabytes: number, change: Partial<CatalogEntry> = {}): CatalogEntry => ({
  id,
  name: id,
  engine: 'llama',
  tasks: ['chat'],
  tier: 'standard',
  services: ['svc-chat-v1'],
  licence: 'Apache-2.0',
  licence_terms: null,
  bytes: gigabytes * 1e9,
  context_tokens_max: 8192,
  memory_bytes: gigabytes * 1e9,
  fits: true,
  is_installed: false,
  chosen_for: [],
  choice_reason: null,
  verified: {},
  ...change,
});

describe('the models that are proposed', () => {
  const best = entry('best', 12, { chosen_for: ['svc-chat-v1'] });
  const catalog = [entry('medium', 3), best, entry('small', 1), entry('large', 20)];
  const proposed = (entries: readonly CatalogEntry[]) => {
    const { best, small } = proposeModels(entries);
    return [best?.id, small?.id];
  };

  test('are what a pull would take on this machine, and the smallest', () => {
    expect(proposed(catalog)).toEqual(['best', 'small']);
    expect(proposed([best, entry('large', 20)])).toEqual(['best', undefined]);
    expect(proposed([entry('medium', 3)])).toEqual([undefined, undefined]);
  });

  test('have no terms to accept, run here, and chat', () => {
    const terms = { summary: 'no', url: 'https://example.com' };
    const others = [
      entry('restricted', 3, { licence_terms: terms }),
      entry('stuck', 3, { obstacle: 'no engine' }),
      entry('embedder', 3, { services: ['svc-embed-v1'] }),
    ];
    expect(proposed([best, ...others])).toEqual(['best', undefined]);
  });
});

test('askd alone on a terminal asks a few things, each of which can be skipped, and then leaves or chats', async () => {
  const daemon = await startDaemon();
  // A new home, with a daemon that answers for it.
  const home = temporaryFolder();
  announce({ ...daemon, home });
  copyFileSync(homePaths(daemon.home).rootToken, homePaths(home).rootToken);
  const cli = startCli([], { home });
  const asked = (text: RegExp) =>
    vi.waitFor(() => expect(cli.written().stderr).toMatch(text), { timeout: 30_000 });
  await asked(/How will you use it\?[^]*Enter for 1/);
  cli.type('hosted\r');
  // A machine without room for any model is not asked about one.
  await asked(/Download a larger one|Start askd automatically/);
  if (cli.written().stderr.includes('Download a larger one')) cli.type('skip\r');
  await asked(/Start askd automatically[^]*Enter for 1/);
  cli.type('\r');
  await asked(/Start a chat now\?[^]*Enter for 1/);
  cli.type('no\r');
  expect(await cli.exit).toBe(0);
  expect(cli.written().stderr).toMatch(/This machine has [\d.]+ GB of memory/);
  const { profile } = (await daemon.call('GET', '/api/account/tier')).json<{ profile: string }>();
  expect(profile).toBe('hosted');
});

test('the end of the input leaves without a choice', async () => {
  const cli = startCli([]);
  await vi.waitFor(() => expect(cli.written().stderr).toContain('How will you use it?'), 20_000);
  cli.type('\u0004');
  expect(await cli.exit).toBe(130);
});
