import { constants } from 'node:os';
import { Failure } from '../../src/base/errors.ts';

/** The terminal's Ctrl-C also reaches the command; signals sent only to this process are passed on. */
export async function runProgram(
  [program = '', ...args]: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const { execa } = await import('execa');
  const running = execa(program, args, { stdio: 'inherit', env, extendEnv: false, reject: false });
  const forward = (signal: NodeJS.Signals) => void running.kill(signal);
  process.on('SIGTERM', forward).on('SIGHUP', forward);
  try {
    const { exitCode, signal, code } = await running;
    if (code === 'ENOENT') throw notFound(program);
    return exitCode ?? 128 + (signal === undefined ? 0 : constants.signals[signal]);
  } finally {
    process.off('SIGTERM', forward).off('SIGHUP', forward);
  }
}

function notFound(program: string): Failure {
  return new Failure('not_found', `There is no program ${JSON.stringify(program)}.`);
}

export function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
