import { copyFileSync } from 'node:fs';
import { describe, expect, test, vi } from 'vitest';
import type { CatalogEntry } from '../../src/api/library.ts';
import { proposeModel } from '../../cli/first-run.ts';
import { announce, startCli } from '../helpers/cli.ts';
import { startDaemon } from '../helpers/daemon.ts';
import { homePaths } from '../../src/paths.ts';
import { temporaryFolder } from '../helpers/temporary.ts';

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
  is_installed: false,
  verified: {},
  ...change,
});

describe('the model that is proposed', () => {
  const catalog = [entry('small', 1), entry('medium', 3), entry('large', 20)];

  test('is the largest that leaves the machine room', () => {
    expect(proposeModel(catalog, 8e9)?.id).toBe('medium');
    expect(proposeModel(catalog, 64e9)?.id).toBe('large');
    expect(proposeModel(catalog, 1e9)).toBeUndefined();
  });

  test('has no terms to accept, runs here, and chats', () => {
    const terms = { summary: 'no', url: 'https://example.com' };
    const others = [
      entry('restricted', 3, { licence_terms: terms }),
      entry('stuck', 3, { obstacle: 'no engine' }),
      entry('embedder', 3, { services: ['svc-embed-v1'] }),
    ];
    expect(proposeModel([entry('small', 1), ...others], 8e9)?.id).toBe('small');
  });
});

test('askd alone on a terminal asks a few things, each of which can be skipped, and then leaves or chats', async () => {
  const daemon = await startDaemon();
  // A home that nobody has used, beside a daemon that answers for it.
  const home = temporaryFolder();
  announce({ ...daemon, home });
  copyFileSync(homePaths(daemon.home).rootToken, homePaths(home).rootToken);
  const cli = startCli([], { home });
  const asked = (text: RegExp) =>
    vi.waitFor(() => expect(cli.written().stderr).toMatch(text), { timeout: 15_000 });
  await asked(/How do you use it\?[^]*Enter for 1/);
  cli.type('hosted\r');
  // A machine without room for any model is not asked about one.
  await asked(/Fetch a larger one|Start askd by itself/);
  if (cli.written().stderr.includes('Fetch a larger one')) cli.type('skip\r');
  await asked(/Start askd by itself[^]*Enter for 1/);
  cli.type('\r');
  await asked(/Talk with it now\?[^]*Enter for 1/);
  cli.type('no\r');
  expect(await cli.exit).toBe(0);
  expect(cli.screen()).toMatch(/This machine has [\d.]+ GB of memory/);
  const { profile } = (await daemon.call('GET', '/api/account/tier')).json<{ profile: string }>();
  expect(profile).toBe('hosted');
});

test('the end of the input leaves without a choice', async () => {
  const cli = startCli([]);
  await vi.waitFor(() => expect(cli.written().stderr).toContain('How do you use it?'));
  cli.type('\u0004');
  expect(await cli.exit).toBe(130);
});
