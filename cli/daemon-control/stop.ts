import { execFileSync } from 'node:child_process';
import { readFileSync, realpathSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { loadSettings } from '../../src/config/config.ts';
import { Failure } from '../../src/base/errors.ts';
import type { Paths } from '../../src/base/paths.ts';
import { isAlive, readPresence, type Presence } from '../../src/base/presence.ts';
import { readRootToken } from '../../src/base/secrets.ts';
import { createClient } from '../client/client.ts';
import { addressOf, askWhoAnswers } from './process.ts';
import type { CliEnvironment } from '../environment.ts';

const POLL_MS = 50;
/** Time for stopping, beyond that for running streams. */
const MARGIN_MS = 15_000;

/**
 * Stops the daemon of this home and waits until it is gone. Resolves to its pid, or to undefined if none was running.
 */
export async function stopDaemon(context: CliEnvironment): Promise<number | undefined> {
  const presence = readPresence(context.paths.presence);
  if (presence === undefined || hasGone(presence.pid)) return undefined;
  const listening = await whoListens(context, presence);
  if (listening === 'another') return undefined;
  const isRequested = listening === 'itself' && (await askToStop(context, presence));
  if (!isRequested && !signalToStop(context, presence.pid)) return undefined;
  await waitUntilGone(context, presence.pid);
  return presence.pid;
}

/** A daemon that hangs still listens, but does not answer. */
async function whoListens({ signal }: CliEnvironment, presence: Presence) {
  try {
    return (await askWhoAnswers(presence, signal)).who;
  } catch (error) {
    if (signal.aborted) throw error;
    return 'somebody silent';
  }
}

async function askToStop({ paths, signal }: CliEnvironment, presence: Presence): Promise<boolean> {
  const token = readRootToken(paths.rootToken);
  const target = { ...addressOf(presence), ...(token && { token }) };
  try {
    await createClient(target, signal).shutdown();
    return true;
  } catch (error) {
    if (signal.aborted) throw error;
    return error instanceof Failure && error.code === 'shutting_down';
  }
}

/**
 * For a daemon that does not answer. A presence file may outlive its daemon, and its pid may then belong to another
 * process.
 */
function signalToStop({ paths }: CliEnvironment, pid: number): boolean {
  if (!commandLine(pid).includes('askd-daemon') || servesAnotherHome(pid, paths)) return false;
  process.kill(pid, 'SIGTERM');
  return true;
}

/** On systems that show a process's environment; if it names no home, the process may be ours. */
function servesAnotherHome(pid: number, { home }: Paths): boolean {
  try {
    const environment = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
    const named = environment.find((entry) => entry.startsWith('ASKD_HOME='))?.slice('ASKD_HOME='.length);
    return named !== undefined && isAbsolute(named) && realpathSync(named) !== realpathSync(home);
  } catch {
    return false;
  }
}

async function waitUntilGone({ environment, signal }: CliEnvironment, pid: number): Promise<void> {
  const { drainTimeoutMs } = await loadSettings(environment);
  const deadline = performance.now() + drainTimeoutMs + MARGIN_MS;
  while (!hasGone(pid)) {
    if (performance.now() > deadline) {
      throw new Failure(
        'daemon_unreachable',
        `The daemon (pid ${pid}) was asked to stop but is still running.`,
        {
          details: { fix: `kill -9 ${pid}` },
        },
      );
    }
    await sleep(POLL_MS, undefined, { signal });
  }
}

/** In a container, a zombie may never be reaped: it stays in the process table and answers signal 0. */
function hasGone(pid: number): boolean {
  return !isAlive(pid) || processState(pid) === 'Z';
}

function processState(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).charAt(0);
  } catch {
    return undefined;
  }
}

function commandLine(pid: number): string {
  try {
    if (process.platform === 'linux') return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    return execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' });
  } catch {
    return '';
  }
}
