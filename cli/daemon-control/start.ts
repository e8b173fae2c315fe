import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, fstatSync, ftruncateSync, openSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { FAILURES, Failure } from '../../src/base/errors.ts';
import { makeHomeFolder } from '../../src/base/make-folder.ts';
import { binFile, type Paths } from '../../src/base/paths.ts';
import type { Presence } from '../../src/base/presence.ts';
import { findDaemon, reportSkew } from './process.ts';
import type { CliEnvironment } from '../environment.ts';

const START_MS_MAX = 30_000;
const POLL_MS = 10;
/** How long the winner of a start race may take to announce itself after the loser has exited. */
const RIVAL_MS_MAX = 4_000;
const STARTUP_LOG_BYTES_MAX = 256 * 1024;
const SHOWN_LINES_MAX = 8;

export type FoundDaemon = { presence: Presence; alreadyRunning: boolean };

/** The running daemon; starts it if allowed, for a request to this model. */
export async function requireDaemon(context: CliEnvironment, model?: string): Promise<FoundDaemon> {
  if (context.options.autostart) return ensureDaemon(context, model);
  const presence = await findDaemon(context);
  if (presence === undefined) throw notRunning();
  reportSkew(context.output, presence.version);
  return { presence, alreadyRunning: true };
}

export async function ensureDaemon(context: CliEnvironment, model?: string): Promise<FoundDaemon> {
  const presence = await findDaemon(context);
  if (presence !== undefined) {
    reportSkew(context.output, presence.version);
    return { presence, alreadyRunning: true };
  }
  context.output.note('Starting the askd daemon…');
  return startDaemon(context, model);
}

function notRunning(): Failure {
  return new Failure('daemon_unreachable', 'The askd daemon is not running.', {
    details: { fix: 'askd up' },
  });
}

/** Starts a daemon in the background and waits until one answers: this one, or the winner of a race. */
async function startDaemon(context: CliEnvironment, model?: string): Promise<FoundDaemon> {
  const { loadSettings } = await import('../../src/config/config.ts');
  await loadSettings(context.environment);
  const { startService } = await import('./service/start.ts');
  const presence = await startService(context);
  if (presence !== undefined) return { presence, alreadyRunning: false };
  const start = spawnDaemon(context, model);
  try {
    return await waitForAnswer(context, start);
  } finally {
    start.child.unref();
  }
}

type Start = { child: ChildProcess; logOffset: number };

function spawnDaemon({ paths, environment }: CliEnvironment, model?: string): Start {
  makeHomeFolder(paths.home);
  makeHomeFolder(paths.logs);
  const log = openSync(paths.startupLog, 'a', 0o600);
  try {
    if (fstatSync(log).size > STARTUP_LOG_BYTES_MAX) ftruncateSync(log);
    const logOffset = fstatSync(log).size;
    const child = spawn(
      process.execPath,
      [binFile('askd-daemon.js'), ...(model === undefined ? [] : ['--load', model])],
      {
        detached: true,
        windowsHide: true,
        stdio: ['ignore', log, log],
        cwd: paths.home,
        env: { ...environment.env, ASKD_HOME: paths.home },
      },
    );
    child.on('error', () => undefined);
    return { child, logOffset };
  } finally {
    closeSync(log);
  }
}

async function waitForAnswer(context: CliEnvironment, { child, logOffset }: Start): Promise<FoundDaemon> {
  // The client is loaded while the daemon starts, not after.
  await import('../client/client.ts');
  let deadline = performance.now() + START_MS_MAX;
  let ended = false;
  while (performance.now() < deadline) {
    const presence = await findDaemon(context);
    if (presence !== undefined) return { presence, alreadyRunning: presence.pid !== child.pid };
    if (hasEnded(child) && !ended) {
      ended = true;
      deadline = Math.min(deadline, performance.now() + (mayHaveRival(child) ? RIVAL_MS_MAX : 0));
    }
    await sleep(POLL_MS, undefined, { signal: context.signal });
  }
  throw startFailure(context.paths, child, logOffset);
}

function hasEnded(child: ChildProcess): boolean {
  return child.pid === undefined || child.exitCode !== null || child.signalCode !== null;
}

function mayHaveRival({ exitCode }: ChildProcess): boolean {
  return exitCode === FAILURES.already_running.exit;
}

function startFailure(paths: Paths, child: ChildProcess, logOffset: number): Failure {
  const lines = readFileSync(paths.startupLog).subarray(logOffset).toString('utf8').trimEnd().split('\n');
  const logged = `askd logs, and ${paths.startupLog}`;
  if (!hasEnded(child)) {
    const what = `The askd daemon did not answer within ${START_MS_MAX / 1000} seconds.`;
    return new Failure('daemon_unreachable', `${what}${indented(lines)}`, { details: { fix: logged } });
  }
  const own = (kind: string) => lines.findLast((line) => line.startsWith(kind))?.slice(kind.length);
  const reason = own('error: ');
  const message =
    reason === undefined ? `exited during startup.${indented(lines)}` : `did not start: ${reason}`;
  // A reason that names a command needs no other fix.
  const fix = own('fix: ') ?? (reason?.includes('askd ') ? undefined : logged);
  return new Failure(
    'daemon_unreachable',
    `The askd daemon ${message}`,
    fix === undefined ? {} : { details: { fix } },
  );
}

function indented(lines: readonly string[]): string {
  const shown = lines.slice(-SHOWN_LINES_MAX).filter((line) => line !== '');
  return shown.map((line) => `\n  ${line}`).join('');
}
