import type { Context } from '../context.ts';
import { throughTmux } from '../output/tmux.ts';

/** Copies a text to the terminal's clipboard, also across ssh, where the terminal allows it. */
export async function copyText(
  { io, environment: { env } }: Pick<Context, 'io' | 'environment'>,
  text: string,
): Promise<void> {
  if (env['TMUX'] && (await copyInTmux(text, env))) return;
  io.stdout.write(throughTmux(`\u001b]52;c;${Buffer.from(text).toString('base64')}\u0007`, env));
}

/** By its defaults tmux ignores the sequence of a program, and gives the terminal what its own command copies. */
async function copyInTmux(text: string, env: NodeJS.ProcessEnv): Promise<boolean> {
  const { spawn } = await import('node:child_process');
  return new Promise((resolve) => {
    const tmux = spawn('tmux', ['load-buffer', '-w', '-'], { env, stdio: ['pipe', 'ignore', 'ignore'] });
    tmux.on('error', () => resolve(false)).on('close', (code) => resolve(code === 0));
    tmux.stdin.on('error', () => undefined).end(text);
  });
}
