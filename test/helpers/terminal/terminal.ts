import { execa } from 'execa';
import { expect, onTestFinished } from 'vitest';
import { openPty, type Size } from '../../../scripts/terminal/pty.ts';

const TIMEOUT_MS = 60_000;

/** A command on its own pseudo-terminal, for as long as the test lasts. */
export function openTerminal(command: string, size: Size, env: Record<string, string>) {
  const pty = openPty(command, size, env);
  onTestFinished(pty.end);
  return {
    ...pty,
    shows: (wanted: string | RegExp) =>
      expect.poll(pty.text, { timeout: TIMEOUT_MS, interval: 50 }).toMatch(wanted),
    async resize({ columns, rows }: Size): Promise<void> {
      pty.screen.resize(columns, rows);
      await execa('stty', ['-F', pty.tty(), 'rows', String(rows), 'cols', String(columns)]);
    },
  };
}

export type Terminal = ReturnType<typeof openTerminal>;
