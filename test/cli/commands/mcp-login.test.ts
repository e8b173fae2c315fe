import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { eventually, openDaemonWith, type ChatDaemon } from '../../helpers/daemon/chat.ts';
import { scriptedModel } from '../../helpers/models/models.ts';
import { TOOL_TEMPLATES } from '../../helpers/models/tool-models.ts';
import { browseTo, guardedServer } from '../../helpers/servers/mcp/guarded.ts';
import { announce, runCli, startCli } from '../../helpers/terminal/cli.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';

const MINUTE = 60_000;
const CALL = '<tool_call>\n{"name": "tracker__echo", "arguments": {"text": "hello"}}\n</tool_call>';

let daemon: ChatDaemon;
const askd = (...args: string[]) => runCli(args, { home: daemon.home });

type Options = { terminal?: boolean; input?: string; env?: Record<string, string> };

/** A command that waits for a browser, and the URL for the browser. */
async function waiting(args: readonly string[], options: Options = {}) {
  const command = startCli(args, { home: daemon.home, terminal: false, ...options });
  await eventually(() => command.written().stderr).toMatch(/http\S+state=/);
  const [address = ''] = /http\S+state=\S+/.exec(command.written().stderr) ?? [];
  const back = new URL(address).searchParams.get('redirect_uri') ?? '';
  return { ...command, address, back };
}

/** Gives consent at the authorization server; resolves to what the browser shows at the end. */
async function agree({ address, back }: { address: string; back: string }): Promise<string> {
  return (await fetch(await browseTo(address, back))).text();
}

beforeEach(async () => {
  const looker = await scriptedModel(CALL, {
    chatTemplate: TOOL_TEMPLATES.hermes,
    afterResult: 'It is done.',
  });
  daemon = await openDaemonWith({ looker });
  announce(daemon);
});
afterEach(() => daemon.close());

describe('askd mcp login', () => {
  test('makes a server that requires a login work, and logout ends it', { timeout: MINUTE }, async () => {
    const server = await guardedServer();
    const added = await askd('mcp', 'add', 'tracker', '--url', server.url);
    expect(added).toMatchObject({
      code: 0,
      stdout: 'To log in and allow its tools: askd mcp login tracker\n',
    });
    expect((await askd('mcp', 'list')).stdout).toMatch(
      /^NAME +TOOLS +LOGIN +SERVER\ntracker +0 +needed +http/,
    );
    expect((await askd('mcp', 'show', 'tracker')).stdout).toContain(
      'login        needed: askd mcp login tracker',
    );
    const tested = await askd('mcp', 'test', 'tracker');
    expect(tested.code).toBe(4);
    expect(tested.stderr).toContain('fix: askd mcp login tracker');

    const login = await waiting(['mcp', 'login', 'tracker']);
    expect(await agree(login)).toContain('You are logged in: askd can use the tools of tracker now.');
    expect(await login.exit).toBe(0);
    expect(login.written().stdout).toContain('You are logged in at tracker, with these tools:\n  echo');
    expect((await askd('mcp', 'list')).stdout).toMatch(/tracker +2 +active/);
    const chat = await askd('chat', '-m', 'looker', '--mcp', 'tracker', 'Say hello.');
    expect(chat).toMatchObject({ code: 0, stdout: 'It is done.\n' });
    expect(chat.stderr).toContain('tracker: echo {"text": "hello"}');

    expect((await askd('mcp', 'logout', 'tracker')).stdout).toContain('its tokens are revoked');
    expect((await askd('mcp', 'logout', 'tracker')).stdout).toBe('You were not logged in at tracker.\n');
    const refused = await askd('chat', '-m', 'looker', '--mcp', 'tracker', 'Say hello.');
    expect(refused.code).toBe(4);
    expect(refused.stderr).toContain('askd mcp login tracker');
  });

  test('follows at once when the server is added on a terminal', { timeout: MINUTE }, async () => {
    const { url } = await guardedServer();
    const adding = await waiting(['mcp', 'add', 'tracker', '--url', url], { terminal: true });
    await agree(adding);
    expect(await adding.exit).toBe(0);
    expect(adding.screen()).toContain('tracker is ready, with these tools:');
  });

  test(
    'takes the id and the secret of a client that was registered by hand',
    { timeout: MINUTE },
    async () => {
      const { url } = await guardedServer('no-registration');
      await askd('mcp', 'add', 'tracker', '--url', url);
      expect((await askd('mcp', 'login', 'tracker')).stderr).toContain(
        'askd mcp login tracker --client-id ID',
      );
      const args = ['mcp', 'login', 'tracker', '--client-id', 'by-hand', '--client-secret-stdin', '--json'];
      const login = await waiting(args, { input: 'secret-of-by-hand\n' });
      await agree(login);
      expect(await login.exit).toBe(0);
      const { schema, login: state } = JSON.parse(login.written().stdout) as Record<string, string>;
      expect([schema, state]).toEqual(['mcp-server/1', 'active']);
      expect(login.written().stdout + login.written().stderr).not.toContain('secret-of-by-hand');
    },
  );

  test('accepts a browser that returns before opening it has finished', { timeout: MINUTE }, async () => {
    const { url } = await guardedServer();
    await askd('mcp', 'add', 'tracker', '--url', url);
    const folder = temporaryFolder();
    const opened = join(folder, 'opened');
    const opener = `#!/bin/sh\nprintf '%s' "$1" > ${opened}; sleep 5\n`;
    writeFileSync(join(folder, 'xdg-open'), opener, { mode: 0o755 });
    const env = { DISPLAY: ':0', PATH: `${folder}:${process.env['PATH']}` };
    const login = await waiting(['mcp', 'login', 'tracker'], { env });
    await eventually(() => existsSync(opened)).toBe(true);
    expect(await agree(login)).toContain('You are logged in');
    expect(await login.exit).toBe(0);
  });

  test('rejects any other visitor, and continues waiting', { timeout: MINUTE }, async () => {
    const { url } = await guardedServer();
    await askd('mcp', 'add', 'tracker', '--url', url);
    const login = await waiting(['mcp', 'login', 'tracker']);
    const forged = new URL(login.back);
    forged.search = '?code=stolen&state=guessed';
    const others = [forged, new URL('/', login.back), new URL(login.back)];
    expect(await Promise.all(others.map(async (each) => (await fetch(each)).status))).toEqual([
      400, 400, 400,
    ]);
    await agree(login);
    expect(await login.exit).toBe(0);
  });

  test('takes the address at which a browser on another machine ended', { timeout: MINUTE }, async () => {
    const { url } = await guardedServer();
    await askd('mcp', 'add', 'tracker', '--url', url);
    const login = await waiting(['mcp', 'login', 'tracker'], { terminal: true });
    login.type('http://127.0.0.1/callback?state=guessed\n');
    await eventually(() => login.written().stderr).toContain('not the address');
    login.type(`${(await browseTo(login.address, login.back)).href}\n`);
    expect(await login.exit).toBe(0);
    expect(login.screen()).toContain('You are logged in at tracker');
  });

  test(
    'times out when no browser returns, and cannot be completed afterwards',
    { timeout: MINUTE },
    async () => {
      const { url } = await guardedServer();
      await askd('mcp', 'add', 'tracker', '--url', url);
      const login = await waiting(['mcp', 'login', 'tracker', '--wait', '500ms']);
      expect(await login.exit).toBe(4);
      expect(login.written().stderr).toContain('The browser did not return');
      expect((await askd('mcp', 'login', 'tracker', '--wait', 'soon')).stderr).toContain('such as 90s');
    },
  );
});
