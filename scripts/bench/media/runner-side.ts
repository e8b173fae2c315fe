import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { forkChild } from '../overhead/child.ts';

export type ToHost = { type: 'open'; model: string } | { type: 'hear'; path: string };
export type FromHost =
  { type: 'opened'; pid: number; threads: number } | { type: 'heard'; ms: number; text: string };

const HOST = fileURLToPath(new URL('./runner-host.js', import.meta.url));

export type RunnerSide = Awaited<ReturnType<typeof startRunnerSide>>;

/** A runner without a server before it, started where and as a daemon with this environment would start it. */
export async function startRunnerSide(model: string, environment: NodeJS.ProcessEnv) {
  const home = await mkdtemp(join(tmpdir(), 'askd-bench-'));
  const host = forkChild<ToHost, FromHost>(
    HOST,
    { ...environment, ASKD_HOME: home },
    { cwd: home, detached: true },
  );
  const close = async () => {
    await host[Symbol.asyncDispose]();
    await rm(home, { recursive: true, force: true });
  };
  try {
    const { pid, threads } = await host.ask('opened', { type: 'open', model });
    return {
      pid,
      threads,
      hear: (path: string) => host.ask('heard', { type: 'hear', path }),
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
