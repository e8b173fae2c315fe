import { spawn } from 'node:child_process';
import xterm from '@xterm/headless';

export type Size = { columns: number; rows: number };
export type Pty = ReturnType<typeof openPty>;

/**
 * A command on its own pseudo-terminal, using the `script` command, and what its screen shows. Afterwards it reports
 * how the command ended and how the terminal was left.
 */
export function openPty(command: string, { columns, rows }: Size, env: Record<string, string>) {
  const screen = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true });
  // Ctrl-C is for the command: without a trap, the shell would also exit and report nothing.
  const setUp = `trap : INT; tty; stty rows ${rows} cols ${columns}; ${command}; echo "ended with $?"; stty -a; exec cat`;
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
  const listeners = new Set<(part: string) => void>();
  const decoder = new TextDecoder();
  let output = '';
  child.stdout.on('data', (part: Buffer) => {
    const text = decoder.decode(part, { stream: true });
    output += text;
    for (const listener of listeners) listener(text);
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
    screen,
    text,
    /** Everything that was written, with its control sequences. */
    output: () => output,
    /** Called with what is written, until the returned function is called. */
    onOutput(listener: (part: string) => void): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    isOnOtherScreen: () => screen.buffer.active.type === 'alternate',
    type: (keys: string) => void child.stdin.write(keys),
    /** The name of the terminal, which `stty` takes. */
    tty: () => /\/dev\/pts\/\d+/.exec(output)?.[0] ?? '',
    end: () => void child.kill('SIGKILL'),
  };
}
