import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { onTestFinished } from 'vitest';
import { binFile } from '../../../src/base/paths.ts';
import { isAlive, readPresence } from '../../../src/base/presence.ts';

export type Run = { stdout: string; stderr: string; exitCode: number; json: <Value>() => Value };
export type Installation = ReturnType<typeof install>;

/** An empty home with the real commands on it. Everything that runs there is ended with the test. */
export function install(env: Record<string, string> = {}) {
  const home = mkdtempSync(join(tmpdir(), 'askd-home-'));
  const environment = { ASKD_HOME: home, ASKD_PORT: '0', NO_COLOR: '', ...env };
  const presenceFile = join(home, 'daemon.json');
  const pids = new Set<number>();

  async function askd(args: readonly string[], { input = '' } = {}): Promise<Run> {
    const result = await execa(process.execPath, [binFile('askd.js'), ...args], {
      env: environment,
      input,
      reject: false,
    });
    const presence = readPresence(presenceFile);
    if (presence) pids.add(presence.pid);
    const { stdout, stderr } = result;
    return { stdout, stderr, exitCode: result.exitCode ?? -1, json: () => JSON.parse(stdout) as never };
  }

  onTestFinished(async () => {
    await askd(['down']);
    for (const pid of pids) if (isAlive(pid)) process.kill(pid, 'SIGKILL');
    // A killed process may still be writing a file.
    rmSync(home, { recursive: true, force: true, maxRetries: 10 });
  });

  const presence = () => readPresence(presenceFile);

  /** The pid that a test may kill. Without a daemon there is none, and 0 would be the test's own process group. */
  function daemonPid(): number {
    const pid = presence()?.pid;
    if (pid === undefined) throw new Error(`No daemon runs in ${home}`);
    return pid;
  }

  return { home, environment, askd, presence, daemonPid };
}
