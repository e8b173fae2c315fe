import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import { binFile } from '../../src/base/paths.ts';

const FORWARDED = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Runs the daemon as a child with our streams and resolves to its exit code. It is in its own process group: the
 * terminal's Ctrl-C would otherwise reach it twice, and the second one means "at once".
 */
export async function runDaemon(flags: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const child = spawn(process.execPath, [binFile('askd-daemon.js'), ...flags], {
    stdio: 'inherit',
    detached: true,
    env,
  });
  const forward = (signal: NodeJS.Signals) => void child.kill(signal === 'SIGHUP' ? 'SIGTERM' : signal);
  for (const signal of FORWARDED) process.on(signal, forward);
  try {
    const [exitCode, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
    return exitCode ?? 128 + (signal === null ? 0 : constants.signals[signal]);
  } finally {
    for (const signal of FORWARDED) process.off(signal, forward);
  }
}
