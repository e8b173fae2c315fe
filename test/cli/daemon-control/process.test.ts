import { spawn } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { homePaths } from '../../../src/base/paths.ts';
import { isAlive, readPresence, writePresence } from '../../../src/base/presence.ts';
import { openRootToken } from '../../../src/base/secrets.ts';
import { announce, runCli } from '../../helpers/terminal/cli.ts';
import { startDaemon } from '../../helpers/daemon/daemon.ts';
import { scriptedServer, sendJson } from '../../helpers/servers/scripted-server.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';

const NOT_RUNNING = { code: 6, stderr: 'error: The askd daemon is not running.\nfix: askd up\n' };

describe('a home whose daemon crashed, and whose port the daemon of another home took', () => {
  test('has no running daemon', async () => {
    const { home } = await besideAnother();
    expect((await runCli(['status'], { home })).code).toBe(6);
    const { code, stderr } = await runCli(['ps', '--no-autostart'], { home });
    expect({ code, stderr }).toEqual(NOT_RUNNING);
  });

  test('does not stop the other daemon', async () => {
    const { home, other } = await besideAnother();
    expect((await runCli(['down'], { home })).stdout).toBe('The askd daemon was not running.\n');
    expect(other.services.boot.stopRequested.aborted).toBe(false);
  });

  test('sends the other daemon no token', async () => {
    const { home, seen } = await besideCurious();
    await runCli(['ps', '--no-autostart'], { home });
    await runCli(['down'], { home });
    expect(seen.map(({ path }) => path)).toEqual(['/healthz', '/healthz']);
    expect(seen.map(({ headers }) => headers['authorization'])).toEqual([undefined, undefined]);
  });
});

test.runIf(process.platform === 'linux')(
  'a process number that now belongs to the daemon of another home gets no signal',
  async () => {
    const [home, otherHome] = [temporaryFolder(), temporaryFolder()];
    const pid = await startLookalike(otherHome);
    const presence = { ...{ host: '127.0.0.1', port: 1, version: '0.1.0', boot_id: 'boot' }, pid };
    writePresence(homePaths(home).presence, { ...presence, started_at: new Date().toISOString() });
    expect(readPresence(homePaths(home).presence)?.pid).toBe(pid);
    expect((await runCli(['down'], { home })).stdout).toBe('The askd daemon was not running.\n');
    expect(isAlive(pid)).toBe(true);
    rmSync(homePaths(home).presence);
  },
);

async function besideAnother() {
  const other = await startDaemon();
  const home = temporaryFolder();
  announce({ home, port: other.port });
  return { home, other };
}

async function besideCurious() {
  const home = temporaryFolder();
  openRootToken(homePaths(home).rootToken);
  const { port, seen } = await scriptedServer((_, response) =>
    sendJson(response, 200, { status: 'ok', version: '0.1.0', boot_id: 'another' }),
  );
  announce({ home, port });
  return { home, seen };
}

/** A process named like a daemon, over its own home. */
async function startLookalike(home: string): Promise<number> {
  const file = join(home, 'askd-daemon.js');
  writeFileSync(file, `console.log('up'); setTimeout(() => undefined, 60_000);`);
  const child = spawn(process.execPath, [file], {
    env: { ASKD_HOME: home },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  await new Promise((resolve) => child.stdout.once('data', resolve));
  return child.pid ?? 0;
}
