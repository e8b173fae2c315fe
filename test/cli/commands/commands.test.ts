import { mkdirSync, writeFileSync } from 'node:fs';
import { describe, expect, test, vi } from 'vitest';
import { homePaths } from '../../../src/base/paths.ts';
import { announce, runCli, startCli, type CliOptions } from '../../helpers/terminal/cli.ts';
import { startDaemon } from '../../helpers/daemon/daemon.ts';
import { scriptedModel } from '../../helpers/models/models.ts';
import { scriptedServer, sendJson } from '../../helpers/servers/scripted-server.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';

/** The command line and the whole daemon, both in this process. */
async function besideDaemon() {
  const daemon = await startDaemon();
  announce(daemon);
  const askd = (args: string, options: CliOptions = {}) =>
    runCli(args.split(' '), { home: daemon.home, ...options });
  const json = async (args: string) =>
    JSON.parse((await askd(`${args} --json`)).stdout) as Record<string, unknown>;
  return { daemon, askd, json };
}

describe('up and status', () => {
  test('a running daemon is found', async () => {
    const { daemon, askd, json } = await besideDaemon();
    const url = `http://127.0.0.1:${daemon.port}`;
    expect(await json('up')).toEqual({
      schema: 'up/1',
      base_url: `${url}/v1`,
      management_url: url,
      pid: process.pid,
      version: '0.1.0',
      already_running: true,
    });
    expect((await askd('up')).stdout).toContain('was already running');
  });

  test('status has the contract’s fields, and a table for people', async () => {
    const { daemon, askd, json } = await besideDaemon();
    expect(await json('status')).toMatchObject({
      running: true,
      home: daemon.home,
      pid: process.pid,
      models: [],
    });
    expect((await askd('status')).stdout).toMatch(/^daemon +running, pid \d+\nversion +0\.1\.0\n/);
  });

  test('status in a home without a daemon exits with 6, and starts none', async () => {
    const home = temporaryFolder();
    const { code, stdout, stderr } = await runCli(['status', '--json'], { home });
    expect(code).toBe(6);
    expect(JSON.parse(stdout)).toEqual({ schema: 'status/1', running: false, home });
    expect(stderr).toBe('fix: askd up\n');
  });

  test('a daemon that left its announcement behind counts as not running', async () => {
    const home = temporaryFolder();
    announce({ home, port: 1 });
    expect((await runCli(['status'], { home })).code).toBe(6);
    const { code, stderr } = await runCli(['ps', '--no-autostart'], { home });
    expect({ code, stderr }).toEqual({
      code: 6,
      stderr: 'error: The askd daemon is not running.\nfix: askd up\n',
    });
  });

  test('a daemon of another version is reported with the fix', async () => {
    const home = temporaryFolder();
    const health = { status: 'ok', version: '9.9.9', boot_id: 'boot' };
    const { port } = await scriptedServer(({ path }, response) =>
      sendJson(response, 200, path === '/healthz' ? health : { models: [] }),
    );
    announce({ home, port });
    const { code, stderr } = await runCli(['ps'], { home });
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: 'note: the daemon is askd 9.9.9, this command is askd 0.1.0.\nfix: askd restart\n',
    });
  });
});

describe('keys', () => {
  test('a key is created, listed and revoked', async () => {
    const { daemon, askd, json } = await besideDaemon();
    const created = await askd('keys create --name app --scopes read --expires-at 2999-01-01');
    expect(created.stdout).toMatch(/^ask_\w+\n$/);
    expect(created.stderr).toContain('not shown again');
    const key = created.stdout.trim();
    expect((await daemon.call('GET', '/v1/models/svc-chat-v1', { token: key })).status).toBe(200);
    const { keys: list } = (await json('keys list')) as {
      keys: { id: string; name: string; key_prefix: string }[];
    };
    const record = list.find(({ name }) => name === 'app');
    expect(record).toMatchObject({ scopes: ['read'], expires_at: '2999-01-01T00:00:00.000Z' });
    expect((await askd('keys list')).stdout).toContain(record?.key_prefix);
    expect((await askd(`keys revoke ${record?.key_prefix} --yes`)).stdout).toContain('Revoked app');
    expect((await daemon.call('GET', '/v1/models/svc-chat-v1', { token: key })).status).toBe(401);
  });

  test('the record of a new key is a document', async () => {
    const { json } = await besideDaemon();
    expect(await json('keys create --name app')).toMatchObject({
      name: 'app',
      scopes: ['chat', 'read'],
      key: expect.stringMatching(/^ask_/) as string,
    });
  });

  test('revoking asks for confirmation on a terminal', async () => {
    const { daemon, askd } = await besideDaemon();
    const prefix = daemon.key.slice(0, 8);
    const refused = await askd(`keys revoke ${prefix}`);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('Add --yes');
    const asking = startCli(['keys', 'revoke', prefix], { home: daemon.home });
    await vi.waitFor(() => expect(asking.written().stderr).toContain('[y/N]'), 20_000);
    asking.type('n\r');
    expect(await asking.exit).toBe(0);
    expect((await daemon.call('GET', '/v1/models/svc-chat-v1', { token: daemon.key })).status).toBe(200);
  });

  test.each([
    ['Ctrl-C', '\u0003', 130],
    ['Ctrl-D', '\u0004', 0],
  ])('answering the question with %s changes nothing', async (_name, keys, code) => {
    const { daemon } = await besideDaemon();
    const asking = startCli(['keys', 'revoke', daemon.key.slice(0, 8)], { home: daemon.home });
    await vi.waitFor(() => expect(asking.written().stderr).toContain('[y/N]'), 20_000);
    asking.type(keys);
    expect(await asking.exit).toBe(code);
    expect((await daemon.call('GET', '/api/keys')).text).toContain(daemon.key.slice(0, 8));
  });

  test('an unknown key is reported with the command that lists keys', async () => {
    const { askd } = await besideDaemon();
    const { code, stderr } = await askd('keys revoke ask_nope --yes');
    expect({ code, stderr }).toEqual({
      code: 5,
      stderr: 'error: No key has the id, prefix or name "ask_nope".\nfix: askd keys list\n',
    });
  });
});

describe('models', () => {
  test('a file is imported, bound, shown, listed and used', async () => {
    const { askd, json } = await besideDaemon();
    const { path, text } = await scriptedModel('Hello from a file.');
    expect(await json(`import ${path} --id my-model`)).toMatchObject({
      id: 'my-model',
      path,
      engine: 'llama',
    });
    expect(await json('bind svc-chat-v1 my-model')).toMatchObject({
      service: 'svc-chat-v1',
      artifact: 'my-model',
    });
    const { data } = (await json('models')) as { data: { id: string; local: { artifact: string } }[] };
    expect(data.find(({ id }) => id === 'svc-chat-v1')?.local.artifact).toBe('my-model');
    expect((await askd('models')).stdout).toMatch(/^svc-chat-v1 +chat +\w+ +my-model +[\d.]+ KB$/m);
    expect(await json('show svc-chat-v1')).toMatchObject({
      model: { id: 'svc-chat-v1' },
      artifact: { id: 'my-model', path },
    });
    expect((await askd('show my-model')).stdout).toMatch(/^bound to +svc-chat-v1$/m);
    expect(await askd('chat hi')).toMatchObject({ code: 0, stdout: `${text}\n` });
    const { models } = (await json('ps')) as { models: Record<string, unknown>[] };
    expect(models).toMatchObject([{ artifact: 'my-model', slots: 4, busy: 0 }]);
    expect((await askd('ps')).stdout).toContain(`my-model  ${String(models[0]?.['pid'])}`);
    expect(await json('stop svc-chat-v1')).toMatchObject({ stopped: true });
    expect((await askd('stop svc-chat-v1')).stdout).toBe('svc-chat-v1 was not loaded.\n');
  });

  test('the notice about a model is shown plainly', async () => {
    const { askd } = await besideDaemon();
    const { stdout } = await askd('show starter-chat');
    expect(stdout).toMatch(/^notice +\S/m);
  });

  test.each([
    ['import /nowhere/model.gguf --id x', 5, 'There is no file /nowhere/model.gguf.'],
    ['import package.json --id x', 9, 'not a usable GGUF file'],
    ['import package.json --id x --link --copy', 2, 'not both'],
    ['import package.json', 2, 'Give the model a name: askd import package.json --id NAME'],
    ['bind svc-chat-v1 nope', 5, 'askd models'],
    ['show nope', 5, 'askd models'],
    ['stop nope', 5, 'askd models'],
    ['chat -m nope hi', 5, 'askd models'],
    ['keys create --name x --scopes everything', 2, 'scopes'],
    ['keys create --name x --expires-at tomorrow', 2, '2027-01-31'],
    ['keys create', 2, "required option '--name <name>'"],
  ])('askd %s exits with %i', async (args, code, text) => {
    const { askd } = await besideDaemon();
    const result = await askd(args);
    expect(result).toMatchObject({ code, stdout: '' });
    expect(result.stderr).toMatch(/^error: /);
    expect(result.stderr).toContain(text);
  });
});

describe('logs', () => {
  test('are read from the file when no daemon runs', async () => {
    const home = temporaryFolder();
    const { logs, log } = homePaths(home);
    mkdirSync(logs, { recursive: true });
    const line = (level: number, msg: string) =>
      JSON.stringify({ level, time: '2026-01-01T00:00:00.000Z', msg });
    writeFileSync(
      log,
      [line(20, 'detail'), line(30, 'started'), 'no json', line(40, 'careful')].join('\n') + '\n',
    );
    const askd = (args: string) => runCli(['logs', ...args.split(' ')], { home });
    expect((await askd('--level warn')).stdout).toMatch(/^no json\n2\S+ \S+ {2}warn {3}careful\n$/);
    expect((await askd('-n 1')).stdout).toMatch(/careful\n$/);
    const documents = (await askd('-n 3 --json')).stdout.trim().split('\n');
    expect(documents.map((text) => (JSON.parse(text) as { msg: string }).msg)).toEqual([
      'started',
      'no json',
      'careful',
    ]);
    expect((await askd('--level loud')).code).toBe(2);
  });

  test('are empty before the first start, which is not a failure', async () => {
    const { code, stdout, stderr } = await runCli(['logs']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(stderr).toContain('on its first start');
  });
});

test('an address that contains credentials gets no root token', async () => {
  const { daemon } = await besideDaemon();
  const elsewhere = await runCli(['ps', '--host', `http://127.0.0.1:${daemon.port}`]);
  expect(elsewhere.code).toBe(4);
  const own = await runCli(['ps', '--host', `http://127.0.0.1:${daemon.port}`], { home: daemon.home });
  expect(own.code).toBe(0);
});

test.each(['up', 'down', 'restart', 'logs'])(
  'askd %s is only for this machine and rejects --host',
  async (name) => {
    const { code, stderr } = await runCli([name, '--host', 'http://there.example']);
    expect(code).toBe(2);
    expect(stderr).toContain('does not take --host');
  },
);
