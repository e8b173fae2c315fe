import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { COMMANDS } from '../../../cli/commands.ts';
import { SCRIPTS, SHELLS } from '../../../cli/completion/scripts.ts';
import { announce, runCli } from '../../helpers/terminal/cli.ts';
import { startDaemon } from '../../helpers/daemon/daemon.ts';

async function complete(words: readonly string[], home?: string): Promise<string[]> {
  const { stdout } = await runCli(['__complete', ...words], home === undefined ? {} : { home });
  return stdout.split('\n').filter(Boolean);
}

describe('Tab', () => {
  test('knows every command and every subcommand', async () => {
    const first = await complete(['']);
    for (const { name } of COMMANDS) expect(first).toContain(name.split(' ')[0]);
    expect(await complete(['web'])).toEqual(['webhooks']);
    expect(await complete(['keys', ''])).toEqual(
      expect.arrayContaining(['create', 'list', 'revoke', 'rotate']),
    );
  });

  test('knows flags and their choices', async () => {
    expect(await complete(['pull', '--ti'])).toEqual(['--tier']);
    expect(await complete(['pull', '--tier', ''])).toEqual(['large', 'small', 'standard']);
    expect(await complete(['completion', 'z'])).toEqual(['zsh']);
    expect(await complete(['config', 'get', 'por'])).toEqual(['port']);
    expect(await complete(['pull', '--tier=s'])).toEqual(['--tier=small', '--tier=standard']);
  });

  test('knows the current models, keys and webhooks', async () => {
    const daemon = await startDaemon();
    announce(daemon);
    expect(await complete(['load', 'svc-ch'], daemon.home)).toEqual(['svc-chat-v1']);
    expect(await complete(['chat', '--model', 'svc-e'], daemon.home)).toEqual(['svc-embed-v1']);
    const prefixes = await complete(['keys', 'revoke', 'ask_'], daemon.home);
    expect(prefixes).toHaveLength(1);
  });

  test('starts no daemon, and offers nothing without one', async () => {
    expect(await complete(['load', ''])).toEqual([]);
  });
});

test.each(SHELLS)('askd completion %s prints a script that asks askd', async (shell) => {
  const { code, stdout } = await runCli(['completion', shell]);
  expect(code).toBe(0);
  expect(stdout).toBe(`${SCRIPTS[shell].trimEnd()}\n`);
  expect(stdout).toContain('__complete');
});

test('the script for PowerShell is kept word for word', () => {
  expect(SCRIPTS.powershell).toBe(readFileSync(join(import.meta.dirname, 'askd.ps1'), 'utf8'));
});
