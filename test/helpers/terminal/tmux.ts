import { existsSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { execa } from 'execa';
import { expect, onTestFinished } from 'vitest';
import type { Size } from '../../../scripts/terminal/pty.ts';
import { temporaryFolder } from '../temporary.ts';
import { openTerminal } from './terminal.ts';

const TIMEOUT_MS = 120_000;

export const hasTmux = (process.env['PATH'] ?? '')
  .split(delimiter)
  .some((folder) => existsSync(join(folder, 'tmux')));

type Options = {
  env?: Record<string, string>;
  settings?: readonly string[];
  /** What the terminal answers when tmux asks what it is, which it does once. */
  name?: string;
};

const ASKS_NAME = '\u001b[>q';

/** A server of tmux for the test alone, with one pane, in which the command runs, and a terminal attached to it. */
export async function openTmux(command: string, size: Size, { env = {}, settings = [], name }: Options = {}) {
  const folder = temporaryFolder();
  const socket = join(folder, 'socket');
  const config = join(folder, 'tmux.conf');
  writeFileSync(config, ['set -g status off', 'set -g default-shell /bin/sh', ...settings, ''].join('\n'));
  writeFileSync(join(folder, 'command.sh'), command);
  const tmux = async (...args: string[]): Promise<string> =>
    (await execa('tmux', ['-S', socket, ...args])).stdout;
  onTestFinished(async () => void (await execa('tmux', ['-S', socket, 'kill-server'], { reject: false })));

  const attach = () => openTerminal(`tmux -S ${socket} -f ${config} attach`, size, env);
  const start = `tmux -S ${socket} -f ${config} new-session "sh ${join(folder, 'command.sh')}"`;
  const terminal = openTerminal(start, size, env);
  const stop = terminal.onOutput(() => {
    if (!terminal.output().includes(ASKS_NAME)) return;
    stop();
    if (name !== undefined) terminal.type(`\u001bP>|${name}\u001b\\`);
  });
  await expect.poll(() => existsSync(socket), { timeout: TIMEOUT_MS }).toBe(true);
  const pane = () => tmux('capture-pane', '-p', '-t', '%0');
  return {
    tmux,
    terminal,
    /** Another terminal for the same session. */
    attach,
    /** What the pane of the command shows, by what tmux knows of it. */
    pane,
    shows: (wanted: string | RegExp) => expect.poll(pane, { timeout: TIMEOUT_MS }).toMatch(wanted),
    /** A format of tmux, such as `#{alternate_on}`, of the same pane. */
    is: (format: string, wanted: string) =>
      expect
        .poll(() => tmux('display-message', '-p', '-t', '%0', format), { timeout: TIMEOUT_MS })
        .toBe(wanted),
    keys: (...keys: string[]) => tmux('send-keys', '-t', '%0', ...keys),
  };
}
