import { once } from 'node:events';
import { createServer } from 'node:net';
import { readFileSync } from 'node:fs';
import { describe, expect, onTestFinished, test } from 'vitest';
import { binFile } from '../../../../src/base/paths.ts';
import { daemonWith } from '../../../helpers/daemon/chat.ts';
import { startDaemon } from '../../../helpers/daemon/daemon.ts';
import { install } from '../../../helpers/daemon/installation.ts';
import { scriptedModel, visionModel } from '../../../helpers/models/models.ts';
import { startHub } from '../../../helpers/servers/hub.ts';
import { startRegistry } from '../../../helpers/servers/registry.ts';
import { browseTo, guardedServer } from '../../../helpers/servers/mcp/guarded.ts';
import { temporaryFolder } from '../../../helpers/temporary.ts';
import { announce, runCli, startCli } from '../../../helpers/terminal/cli.ts';
import { openTerminal } from '../../../helpers/terminal/terminal.ts';

const MINUTE = 60_000;
const size = { columns: 100, rows: 40 };
const askd = (line: string) => `${process.execPath} ${binFile('askd.js')} ${line}`;

/** A command on a terminal, and the wait for what it writes to it. */
function onTerminal(args: readonly string[], home: string, env: Record<string, string> = {}) {
  const command = startCli(args, { home, env });
  const shows = (wanted: RegExp) =>
    expect.poll(() => command.written().stderr, { timeout: MINUTE }).toMatch(wanted);
  return { ...command, shows };
}

describe('a command that lacks an engine', () => {
  async function withoutEngine() {
    const registry = await startRegistry();
    const daemon = await startDaemon(
      { ASKD_NPM_REGISTRY: registry.address, ASKD_DOWNLOAD_RETRY_MS: '1' },
      { optionalEngines: [await registry.publishEngine()] },
    );
    announce(daemon);
    const { path, projector } = await visionModel();
    await daemon.services.library.importArtifact({ id: 'eyes', path, projector, mode: 'link' });
    return daemon;
  }

  test('offers it with its size, installs it on Enter and runs again', { timeout: 2 * MINUTE }, async () => {
    const { home, services } = await withoutEngine();
    const command = onTerminal(['check', 'eyes'], home);
    await command.shows(
      /the engine "vision" is not installed \((\d+ B) to\s+download\)\.[^]*Install it now\? \1 \[Y\/n\]/,
    );
    command.type('\r');
    // The package is made up, so the check itself fails; but the installed engine was checked.
    await command.exit;
    expect(services.engines.record('vision').state).toBe('installed');
    expect(command.written().stderr).not.toContain('fix: askd engines install');
  });

  test('names the command in a pipe', async () => {
    const { home } = await withoutEngine();
    const { code, stderr } = await runCli(['check', 'eyes'], { home });
    expect([code, stderr]).toEqual([5, expect.stringMatching(/\nfix: askd engines install vision\n$/)]);
  });
});

describe('a command without the credits for it', () => {
  async function withoutCredits() {
    const daemon = await daemonWith({ m: await scriptedModel('Paid.') }, { ASKD_PROFILE: 'hosted' });
    const body = { tier: 'enterprise' };
    expect(await daemon.call('PUT', '/api/account/tier', { body })).toMatchObject({ status: 200 });
    announce(daemon);
    return daemon;
  }

  test('offers a top-up and continues when it is confirmed', { timeout: 2 * MINUTE }, async () => {
    const { home } = await withoutCredits();
    const command = onTerminal(['chat', '-m', 'm', '--no-stream', 'Hello'], home);
    await command.shows(
      /needs at least [\d.]+ credits, and the wallet has\s+0\.00\.[^]*Add 10 credits now\? \[Y\/n\]/,
    );
    command.type('y\r');
    await command.shows(/Confirm it here:\s+http\S+\n/);
    const [url = ''] = /http\S+/.exec(command.written().stderr) ?? [];
    expect((await fetch(url, { method: 'POST' })).ok).toBe(true);
    expect(await command.exit).toBe(0);
    expect(command.written().stdout).toBe('Paid.\n');
  });

  test('names the command with --json, and after a refusal', async () => {
    const { home } = await withoutCredits();
    const chat = ['chat', '-m', 'm', 'Hello'];
    const { code, stderr } = await runCli([...chat, '--json'], { home, terminal: true });
    expect([code, stderr]).toEqual([4, expect.stringMatching(/\nfix: askd wallet topup 10\n$/)]);
    const refused = onTerminal(chat, home);
    await refused.shows(/Add 10 credits now\?/);
    refused.type('n\r');
    expect(await refused.exit).toBe(4);
    expect(refused.written().stderr).toMatch(/\nfix: askd wallet topup 10\n$/);
  });

  test('never points to the daemon of this machine for what another server lacks', async () => {
    const { home, key, port } = await withoutCredits();
    const env = { ASKD_BASE_URL: `http://127.0.0.1:${port}/v1`, ASKD_API_KEY: key };
    const { code, stderr } = await runCli(['chat', '-m', 'm', 'Hello'], { home, env, terminal: true });
    expect([code, stderr.includes('[Y/n]')]).toEqual([4, false]);
    expect(stderr).toContain('fix: askd wallet topup 10');
  });
});

test(
  'a tool server that requires a login is logged in to, and asked again',
  { timeout: MINUTE },
  async () => {
    const daemon = await startDaemon();
    announce(daemon);
    const server = await guardedServer();
    await runCli(['mcp', 'add', 'tracker', '--url', server.url], { home: daemon.home });
    const command = onTerminal(['mcp', 'test', 'tracker'], daemon.home);
    await command.shows(/Log in now, in a browser\? \[Y\/n\]/);
    command.type('\r');
    await command.shows(/http\S+state=\S+\s/);
    const [address = ''] = /http\S+state=\S+/.exec(command.written().stderr) ?? [];
    await fetch(await browseTo(address, new URL(address).searchParams.get('redirect_uri') ?? ''));
    expect(await command.exit).toBe(0);
    expect(command.written().stderr).toContain('You are logged in at tracker.');
    expect(command.written().stdout).toContain('echo');
  },
);

describe('a gated model', () => {
  const REPO = 'someone/gated-GGUF';

  async function besideGate() {
    const hub = await startHub();
    hub.add(REPO, { 'tiny-Q4_K_M.gguf': readFileSync((await scriptedModel('Let in.')).path) });
    hub.gate(REPO, 'hub-secret');
    const cache = temporaryFolder();
    return install({ ...hub.environment(cache), HF_HOME: cache });
  }

  test(
    'asks on a terminal for the token, which it does not show, and pulls with it',
    { timeout: 3 * MINUTE },
    async () => {
      const { home, environment } = await besideGate();
      const terminal = openTerminal(askd(`pull hf:${REPO} --no-check`), size, environment);
      await terminal.shows(/Token of the model hub \(not shown; Enter for none\):/);
      terminal.type('hub-secret\r');
      await terminal.shows(/Pulled and verified hf:someone\/gated-GGUF[^]*ended with 0/);
      expect(terminal.text()).not.toContain('hub-secret');
      expect(await runCli(['secrets', 'list'], { home })).toMatchObject({
        stdout: expect.stringMatching(/hub_token +(the keyring|a file)/) as string,
      });
    },
  );

  test('names the commands that give it elsewhere', { timeout: MINUTE }, async () => {
    const { askd } = await besideGate();
    const { exitCode, stderr } = await askd(['pull', `hf:${REPO}`]);
    expect(exitCode).toBe(4);
    expect(stderr).toMatch(
      /is gated\. Accept its terms at \S+ and create a token of your account\.\nfix: askd secrets set hub_token, then askd restart$/,
    );
  });
});

describe('a daemon that does not run', () => {
  test('is started on request, if it does not start by itself', { timeout: 2 * MINUTE }, async () => {
    const { environment, presence } = install();
    const terminal = openTerminal(askd('ps --no-autostart'), size, environment);
    await terminal.shows(/The askd daemon is not running\.[^]*Start it now\? \[Y\/n\]/);
    expect(presence()).toBeUndefined();
    terminal.type('\r');
    await terminal.shows(/ended with 0/);
    expect(presence()).toBeDefined();
  });

  test(
    'uses another port if its own is taken by the askd of another home',
    { timeout: 3 * MINUTE },
    async () => {
      const other = await startDaemon();
      const { environment, presence } = install({ ASKD_PORT: String(other.port) });
      const terminal = openTerminal(askd('ps'), size, environment);
      await terminal.shows(
        new RegExp(`Port ${other.port} is taken by askd \\d\\S+, which serves another home\\.`),
      );
      await terminal.shows(/Start the daemon on port \d+ instead\? \[Y\/n\]/);
      // Whoever takes that port first makes the command ask again.
      const [, offered] = /on port (\d+) instead/.exec(terminal.text()) ?? [];
      const faster = createServer().listen(Number(offered), '127.0.0.1');
      onTestFinished(() => void faster.close());
      await Promise.race([once(faster, 'listening'), once(faster, 'error')]);
      // The next one may be taken in the same way.
      for (let asked = 2; !terminal.text().includes('ended with 0'); asked++) {
        terminal.type('\r');
        await terminal.shows(new RegExp(`ended with 0|(?:port \\d+ instead\\? \\[Y/n\\][^]*){${asked}}`));
      }
      expect([undefined, other.port, Number(offered)]).not.toContain(presence()?.port);
    },
  );

  test('says so if the port belongs to another program', { timeout: 2 * MINUTE }, async () => {
    const taken = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
    onTestFinished(() => void taken.close());
    await once(taken, 'listening');
    const { port } = taken.address() as { port: number };
    const { environment, presence } = install({ ASKD_PORT: String(port) });
    const terminal = openTerminal(askd('ps'), size, environment);
    await terminal.shows(new RegExp(`Port ${port} is taken by another program\\.[^]*\\[Y/n\\]`));
    terminal.type('n\r');
    await terminal.shows(/ended with 6/);
    expect(presence()).toBeUndefined();
  });
});
