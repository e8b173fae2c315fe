import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test, vi } from 'vitest';
import { COMMANDS } from '../../cli/commands.ts';
import { binFile } from '../../src/base/paths.ts';
import { isAlive } from '../../src/base/presence.ts';
import { install } from '../helpers/daemon/installation.ts';
import { endlessModel, scriptedModel } from '../helpers/models/models.ts';

const TEXT = 'Grüße — 日本語 😀, and a plain ending.';

test('a first hour with the command line', async () => {
  const { askd, home, presence, daemonPid } = install();
  const run = async (line: string, options = {}) => askd(line.split(' '), options);

  expect(await run('status')).toMatchObject({ exitCode: 6 });
  const up = await run('up --json');
  expect(up.stderr).toBe('Starting the askd daemon…');
  expect(up.json()).toMatchObject({ pid: presence()?.pid, already_running: false });
  expect((await run('up --json')).json()).toMatchObject({ pid: presence()?.pid, already_running: true });
  expect((await run('status --json')).json()).toMatchObject({ running: true, home, models: [] });

  const created = (await run('keys create --name app --json')).json<{
    id: string;
    key: string;
    key_prefix: string;
  }>();
  expect((await run('keys list')).stdout).toContain(created.key_prefix);
  expect((await run('keys list')).stdout).not.toContain(created.key);

  const { path } = await scriptedModel(TEXT);
  expect((await run(`import ${path} --id my-model`)).stdout).toContain('Imported my-model');
  expect((await run('bind svc-chat-v1 my-model')).exitCode).toBe(0);
  expect((await run('models')).stdout).toMatch(/^svc-chat-v1 .* my-model /m);

  expect(await run('chat hello')).toMatchObject({ exitCode: 0, stdout: TEXT, stderr: '' });
  expect(await run('chat summarise', { input: 'a file\n' })).toMatchObject({ exitCode: 0, stdout: TEXT });
  expect((await run('chat hello --json')).json()).toMatchObject({
    model: 'svc-chat-v1',
    content: TEXT,
    finish_reason: 'stop',
    stats: { total_ms: expect.any(Number) as number },
  });
  expect((await run('ps --json')).json()).toMatchObject({ models: [{ artifact: 'my-model', busy: 0 }] });
  expect((await run('logs -n 1000')).stdout).toContain('daemon started');

  expect((await run(`keys revoke ${created.id} --yes`)).exitCode).toBe(0);
  const pid = daemonPid();
  expect((await run('down')).stdout).toContain(`pid ${pid}`);
  expect(presence()).toBeUndefined();
  expect(await run('down')).toMatchObject({ exitCode: 0, stdout: 'The askd daemon was not running.' });
  expect((await run('logs -n 1')).stdout).toContain('daemon stopped');
});

test('a command starts the daemon that it needs, unless --no-autostart is given', async () => {
  const { askd, presence } = install();
  expect(await askd(['ps', '--no-autostart'])).toMatchObject({
    exitCode: 6,
    stderr: 'error: The askd daemon is not running.\nfix: askd up',
  });
  expect(await askd(['ps'])).toMatchObject({ exitCode: 0, stderr: 'Starting the askd daemon…' });
  expect(presence()).toBeDefined();
});

test('many commands may start the daemon at once: one wins, and all find it', async () => {
  const { askd, presence } = install();
  const runs = await Promise.all(Array.from({ length: 4 }, () => askd(['up', '--json'])));
  expect(runs.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0, 0]);
  const pids = runs.map(({ json }) => json<{ pid: number }>().pid);
  expect(new Set(pids)).toEqual(new Set([presence()?.pid]));
});

test('the error of a daemon that cannot start is quoted', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  try {
    await once(taken, 'listening');
    const address = taken.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const { askd } = install({ ASKD_PORT: String(port) });
    const { exitCode, stderr } = await askd(['up']);
    expect(exitCode).toBe(6);
    expect(stderr).toContain(`Cannot listen on 127.0.0.1:${port}`);
    expect(stderr).toMatch(/ASKD_PORT=\d+ askd up/);
    expect(stderr).not.toContain(`ASKD_PORT=${port} `);
  } finally {
    taken.close();
  }
});

test('an invalid setting is reported before anything starts', async () => {
  const { askd } = install({ ASKD_PORT: 'hello' });
  const { exitCode, stderr } = await askd(['up']);
  expect(exitCode).toBe(3);
  expect(stderr).toContain('ASKD_PORT');
});

test('a closed pipe ends the command without an error', async () => {
  const { askd, environment } = install();
  await askd(['import', (await endlessModel()).path, '--id', 'endless', '--no-check']);
  const command = `"${process.execPath}" "${binFile('askd.js')}" chat -m endless go </dev/null | head -c 9; echo " \${PIPESTATUS[0]}"`;
  const { stdout, stderr } = await execa('bash', ['-c', command], { env: environment });
  expect({ stdout, stderr }).toEqual({ stdout: 'and so on 0', stderr: '' });
  await expectIdle(askd);
});

test.skipIf(process.platform !== 'linux')('an output that cannot be written is a failure', async () => {
  const { environment } = install();
  const command = `"${process.execPath}" "${binFile('askd.js')}" version >/dev/full`;
  const { exitCode, stderr } = await execa('bash', ['-c', command], { env: environment, reject: false });
  expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: expect.stringContaining('ENOSPC') as string });
});

test('Ctrl-C ends a reply with 130, and the model is free again', async () => {
  const { askd, environment } = install();
  await askd(['import', (await endlessModel()).path, '--id', 'endless', '--no-check']);
  const chat = execa(process.execPath, [binFile('askd.js'), 'chat', '-m', 'endless', 'go'], {
    env: environment,
    input: '',
    reject: false,
  });
  await new Promise((resolve) => chat.stdout.once('data', resolve));
  chat.kill('SIGINT');
  const { exitCode, stdout, stderr } = await chat;
  expect({ exitCode, stderr }).toEqual({ exitCode: 130, stderr: '' });
  expect(stdout).toMatch(/^and /);
  await expectIdle(askd);
});

test('askd serve runs the daemon in the foreground and passes on signals and its exit code', async () => {
  const { askd, environment, presence, daemonPid } = install();
  const serve = execa(process.execPath, [binFile('askd.js'), 'serve', '--port', '0'], {
    env: environment,
    reject: false,
  });
  await vi.waitFor(() => expect(presence()).toBeDefined(), 20_000);
  const pid = daemonPid();
  expect((await askd(['serve'])).exitCode).toBe(10);
  serve.kill('SIGINT');
  expect(await serve).toMatchObject({
    exitCode: 0,
    stdout: expect.stringMatching(/^askd .* is listening on http/) as string,
  });
  await expect.poll(() => isAlive(pid), { timeout: 30_000 }).toBe(false);
});

test.skipIf(process.platform !== 'linux')('a conversation on a real terminal', async () => {
  const { askd, environment, home } = install();
  await askd(['import', (await scriptedModel(TEXT)).path, '--id', 'scripted', '--no-check']);
  await askd(['import', (await endlessModel()).path, '--id', 'endless', '--no-check']);
  const open = (model: string) => {
    const command = `"${process.execPath}" "${binFile('askd.js')}" chat -m ${model}`;
    const terminal = execa('script', ['-qec', command, '/dev/null'], {
      env: { ...environment, TERM: 'xterm' },
      stdin: 'pipe',
      reject: false,
    });
    let screen = '';
    terminal.stdout.on('data', (bytes: Buffer) => (screen += bytes.toString()));
    const shows = (text: string) => vi.waitFor(() => expect(screen).toContain(text), 20_000);
    return { terminal, shows, type: (keys: string) => void terminal.stdin.write(keys) };
  };

  const calm = open('scripted');
  await calm.shows('>>> ');
  calm.type('hello\r');
  await calm.shows(TEXT);
  calm.type('\u0004');
  expect((await calm.terminal).exitCode).toBe(0);
  expect(readFileSync(join(home, 'chat-history'), 'utf8')).toBe('hello\n');

  const endless = open('endless');
  await endless.shows('>>> ');
  endless.type('go\r');
  await endless.shows('and so on, and so on');
  endless.type('\u0003');
  await endless.shows('(stopped)');
  endless.type('/bye\r');
  expect((await endless.terminal).exitCode).toBe(0);
  await expectIdle(askd);
});

test('every command explains itself, without escape codes in a pipe', async () => {
  const { askd } = install();
  for (const { name } of COMMANDS) {
    const { exitCode, stdout } = await askd([...name.split(' '), '--help']);
    expect(exitCode, name).toBe(0);
    expect(stdout).toContain('Examples:');
    expect(stdout).not.toContain('\u001b');
  }
}, 600_000);

async function expectIdle(askd: ReturnType<typeof install>['askd']): Promise<void> {
  const busy = async () =>
    (await askd(['ps', '--json'])).json<{ models: { busy: number }[] }>().models.map((each) => each.busy);
  await expect.poll(busy, { timeout: 30_000 }).not.toContain(1);
}
