type Env = Readonly<Record<string, string | undefined>>;

/** A sequence for the terminal in which tmux runs, if tmux passes it on. */
export function throughTmux(sequence: string, env: Env): string {
  return env['TMUX'] ? wrapForTmux(sequence) : sequence;
}

export function wrapForTmux(sequence: string): string {
  return `\u001bPtmux;${sequence.replaceAll('\u001b', '\u001b\u001b')}\u001b\\`;
}

export type Tmux = {
  /** Whether the terminal receives wrapped sequences. */
  passesThrough: boolean;
  /** The terminal's name for itself, such as `kitty(0.35.2) xterm-kitty`. */
  terminal: string;
};

/** Undefined if tmux does not answer. */
export async function askTmux(env: NodeJS.ProcessEnv): Promise<Tmux | undefined> {
  const { execFile } = await import('node:child_process');
  const wanted = '#{allow-passthrough} #{client_termtype} #{client_termname}';
  return new Promise((resolve) => {
    execFile('tmux', ['display-message', '-p', wanted], { env, timeout: ANSWER_MS }, (error, stdout) => {
      const [passes = '', ...terminal] = stdout.trim().split(' ');
      resolve(
        error ? undefined : { passesThrough: /^(?:1|on|all)$/.test(passes), terminal: terminal.join(' ') },
      );
    });
  });
}

const ANSWER_MS = 3000;
