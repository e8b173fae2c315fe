import type { Context } from '../context.ts';
import { throughTmux } from '../output/tmux.ts';

const PROGRAM_MS_MAX = 3000;

type Env = NodeJS.ProcessEnv;
type Program = readonly [file: string, ...args: string[]];

/** Copies text to the terminal's clipboard, even over ssh, and to that of the local desktop. */
export async function copyText(
  { io, environment: { env } }: Pick<Context, 'io' | 'environment'>,
  text: string,
): Promise<void> {
  await copyOnDesktop(text, env);
  if (env['TMUX'] && (await writeTo(IN_TMUX, text, env))) return;
  io.stdout.write(throughTmux(`\u001b]52;c;${Buffer.from(text).toString('base64')}\u0007`, env));
}

/** By default tmux ignores a program's sequence, and passes on what its own command copies. */
const IN_TMUX: Program = ['tmux', 'load-buffer', '-w', '-'];

/** The terminals of GNOME, KDE and macOS, and xterm, ignore the sequence. */
async function copyOnDesktop(text: string, env: Env): Promise<void> {
  if (env['SSH_CONNECTION']) return;
  for (const program of desktopPrograms(env)) if (await writeTo(program, text, env)) return;
}

function desktopPrograms(env: Env): readonly Program[] {
  if (process.platform === 'darwin') return [['pbcopy']];
  const wayland: Program[] = env['WAYLAND_DISPLAY'] ? [['wl-copy']] : [];
  if (!env['DISPLAY']) return wayland;
  return [...wayland, ['xclip', '-selection', 'clipboard'], ['xsel', '--input', '--clipboard']];
}

/** False if the program is missing or fails. */
async function writeTo([file, ...args]: Program, text: string, env: Env): Promise<boolean> {
  const { spawn } = await import('node:child_process');
  return new Promise((resolve) => {
    const child = spawn(file, args, { env, stdio: ['pipe', 'ignore', 'ignore'], timeout: PROGRAM_MS_MAX });
    child.on('error', () => resolve(false)).on('exit', (code) => resolve(code === 0));
    child.stdin.on('error', () => undefined).end(text);
  });
}
