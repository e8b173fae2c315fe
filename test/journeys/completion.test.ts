import { execaSync } from 'execa';
import { mkdtempSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { binFile } from '../../src/base/paths.ts';
import { install } from '../helpers/daemon/installation.ts';
import { openTerminal } from '../helpers/terminal/terminal.ts';

const SHELLS = {
  bash: { start: 'bash --norc --noprofile', set: 'source <(askd completion bash)' },
  zsh: { start: 'zsh -f', set: 'autoload -U compinit; compinit -u -D; source <(askd completion zsh)' },
  fish: { start: 'fish --no-config', set: 'askd completion fish | source' },
};

const has = (shell: string) =>
  execaSync('sh', ['-c', `command -v ${shell}`], { reject: false }).exitCode === 0;

test.each(Object.entries(SHELLS).filter(([shell]) => has(shell)))(
  'Tab in %s finds commands, flags, settings and models',
  async (_, { start, set }) => {
    const { askd, environment } = install();
    await askd(['up']);
    const folder = mkdtempSync(join(tmpdir(), 'askd-bin-'));
    symlinkSync(binFile('askd.js'), join(folder, 'askd'));
    const path = `${folder}:${process.env['PATH'] ?? ''}`;
    const terminal = openTerminal(
      start,
      { columns: 100, rows: 40 },
      { ...environment, PATH: path, PS1: '$ ', HOME: folder },
    );
    terminal.type(`${set}; echo se''t\r`);
    await terminal.shows(/^set$/m);
    for (const [typed, whole] of [
      ['askd webh', 'askd webhooks'],
      ['askd chat --show-p', 'askd chat --show-prompt'],
      ['askd config get keep_', 'askd config get keep_alive'],
      ['askd load svc-ch', 'askd load svc-chat-v1'],
    ] as const) {
      terminal.type(`${typed}\t`);
      await terminal.shows(whole);
      terminal.type('\u0015');
      await expect.poll(() => terminal.text().split('\n').at(-1), { timeout: 20_000 }).not.toContain(whole);
    }
    expect(terminal.text()).not.toMatch(/error|not found/i);
    terminal.end();
  },
  120_000,
);
