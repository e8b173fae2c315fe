import { spawn } from 'node:child_process';
import { execa } from 'execa';
import xterm from '@xterm/headless';
import { expect, onTestFinished } from 'vitest';

const PATIENCE_MS = 60_000;

type Size = { columns: number; rows: number };

/** A command on a pseudo-terminal of its own, by the `script` command, and what its screen shows. */
export function openTerminal(command: string, { columns, rows }: Size, env: Record<string, string>) {
  const screen = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true });
  const setUp = `tty; stty rows ${rows} cols ${columns}; ${command}; echo "ended with $?"; stty -a; exec cat`;
  const child = spawn('script', ['-qfec', `sh -c '${setUp}'`, '/dev/null'], {
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: process.env['HOME'] ?? '',
      TERM: 'xterm-256color',
      LANG: 'C.UTF-8',
      ...env,
    },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  child.stdout.on('data', (part: Buffer) => {
    output += part.toString('utf8');
    screen.write(part);
  });

  const text = () => {
    const { active } = screen.buffer;
    const lines = Array.from({ length: screen.rows }, (_, row) =>
      (active.getLine(active.viewportY + row)?.translateToString(true) ?? '').trimEnd(),
    );
    return lines.join('\n').trimEnd();
  };
  return {
    text,
    /** Everything that was written, with its control sequences. */
    output: () => output,
    isOnOtherScreen: () => screen.buffer.active.type === 'alternate',
    type: (keys: string) => void child.stdin.write(keys),
    shows: (wanted: string | RegExp) =>
      expect.poll(text, { timeout: PATIENCE_MS, interval: 50 }).toMatch(wanted),
    async resize(size: Size): Promise<void> {
      const tty = /\/dev\/pts\/\d+/.exec(output)?.[0] ?? '';
      screen.resize(size.columns, size.rows);
      await execa('stty', ['-F', tty, 'rows', String(size.rows), 'cols', String(size.columns)]);
    },
    leave: () => child.kill('SIGKILL'),
  };
}

export type Terminal = ReturnType<typeof openTerminal>;
