import { constants } from 'node:os';
import { Failure } from '../../src/base/errors.ts';
import { startTestDaemon } from '../../src/client/testing/daemon-process.ts';
import type { Context } from '../context.ts';

type Variables = Record<string, string>;

/** Serves tests until their command ends, or without one until it is stopped. Resolves to the command's exit code. */
export async function serveTests(context: Context, command: readonly string[], flags: string[]) {
  const { environment, output, signal } = context;
  const daemon = await startTestDaemon({ env: environment.env, flags });
  try {
    if (command.length > 0) return await runWith(command, { ...environment.env, ...daemon.variables });
    output.result({ schema: 'serve-tests/1', ...daemon.variables }, () => exportsOf(daemon.variables));
    output.note('Serving tests. Ctrl-C stops it and deletes all of it.');
    await Promise.race([daemon.ended, aborted(signal)]);
    return 0;
  } finally {
    await daemon.stop();
  }
}

function exportsOf(variables: Variables): string {
  return Object.entries(variables)
    .map(([name, value]) => `export ${name}=${value}`)
    .join('\n');
}

/** The terminal's Ctrl-C reaches the command too; what comes to this process alone is passed on. */
async function runWith([program = '', ...args]: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
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

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
