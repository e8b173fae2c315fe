import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { eventually, openDaemonWith, type ChatDaemon } from '../../helpers/daemon/chat.ts';
import { scriptedModel } from '../../helpers/models/models.ts';
import { TOOL_TEMPLATES } from '../../helpers/models/tool-models.ts';
import { announce, runCli, startCli } from '../../helpers/terminal/cli.ts';

const HOSTILE = join(import.meta.dirname, '../../helpers/servers/mcp/hostile-server.js');
const SERVER = ['--', process.execPath, HOSTILE];
const MINUTE = 60_000;

/** A model that calls this tool, and then answers. */
const caller = (tool: string) =>
  scriptedModel(`<tool_call>\n{"name": "box__${tool}", "arguments": {"text": "hello"}}\n</tool_call>`, {
    chatTemplate: TOOL_TEMPLATES.hermes,
    afterResult: 'It is done.',
  });

let daemon: ChatDaemon;
const askd = (...args: string[]) => runCli(args, { home: daemon.home });
const json = async <T>(...args: string[]) => JSON.parse((await askd(...args, '--json')).stdout) as T;

beforeEach(async () => {
  daemon = await openDaemonWith({
    looker: await caller('echo'),
    writer: await caller('write'),
    plain: await scriptedModel('Hello.'),
  });
  announce(daemon);
});
afterEach(() => daemon.close());

describe('askd mcp', () => {
  test('adds a server, shows what it offers, and removes it', { timeout: MINUTE }, async () => {
    const added = await askd('mcp', 'add', 'box', '--env', 'TOKEN=secret', ...SERVER);
    expect(added).toMatchObject({ code: 0, stderr: '' });
    expect(added.stdout).toContain(
      'box is ready, with these tools:\n  echo (runs without asking)\n    Says it back.',
    );
    expect(added.stdout).toContain('  write (asks first)');
    expect((await askd('mcp', 'list')).stdout).toMatch(/^NAME +TOOLS +SERVER\nbox +8 +/);
    const shown = (await askd('mcp', 'show', 'box')).stdout;
    expect(shown).toContain('asks first   write');
    expect(shown).toContain('variables    TOKEN');
    expect(shown).not.toContain('secret');
    expect((await askd('mcp', 'test', 'box')).stdout).toContain('box answers:');
    expect((await askd('mcp', 'allow', 'box', 'write', '--never')).stdout).toContain('write (not allowed)');
    expect(await askd('mcp', 'rm', 'box')).toMatchObject({ code: 0, stdout: 'box is removed.\n' });
    expect((await askd('mcp', 'list')).stdout).toContain('There are no MCP servers.');
  });

  test('says what is missing or wrong, and keeps nothing', { timeout: MINUTE }, async () => {
    expect((await askd('mcp', 'add', 'box')).stderr).toContain('Give either a program after --, or --url.');
    const failed = await askd('mcp', 'add', 'box', ...SERVER, 'refuses');
    expect(failed.code).toBe(1);
    expect(failed.stderr).toContain('It wrote: no such folder');
    expect((await askd('mcp', 'add', 'box', '--env', 'NOT_SET', ...SERVER)).stderr).toContain(
      'NOT_SET is not set here',
    );
    expect((await askd('mcp', 'add', 'box', '--url', 'ftp://x')).stderr).toContain('is not an address');
    expect((await askd('mcp', 'add', 'box', '--header', 'A: b', ...SERVER)).stderr).toContain(
      '--header is for an address',
    );
    expect(await json('mcp', 'list')).toEqual({ schema: 'mcp-servers/1', servers: [] });
  });

  test('imports the servers of another program and names those that fail', { timeout: MINUTE }, async () => {
    const file = join(daemon.home, 'mcp.json');
    const server = (...args: string[]) => ({ command: process.execPath, args: [HOSTILE, ...args] });
    writeFileSync(
      file,
      `// servers\n${JSON.stringify({ mcpServers: { box: server(), 'my broken one': server('refuses') } })}`,
    );
    const imported = await askd('mcp', 'import', file);
    expect(imported.code).toBe(1);
    expect(imported.stdout).toContain('box: added, 8 tools');
    expect(imported.stdout).toContain('my-broken-one: not added.');
  });

  test(
    'a server over HTTP gets its token, which is stored encrypted; askd itself is one',
    { timeout: MINUTE },
    async () => {
      const address = ['--url', `http://127.0.0.1:${daemon.port}/mcp`];
      const refused = await askd('mcp', 'add', 'self', ...address);
      expect(refused.stderr).toContain('requires a token');
      expect(refused.stderr).toContain('--header');
      const args = ['mcp', 'add', 'self', ...address, '--token-stdin'];
      const added = await runCli(args, { home: daemon.home, input: `${daemon.key}\n` });
      expect(added).toMatchObject({ code: 0 });
      expect(added.stdout).toContain('chat (runs without asking)');
      expect((await askd('mcp', 'show', 'self')).stdout).toContain('headers      Authorization');
    },
  );
});

describe('a chat with tools', () => {
  beforeEach(async () => {
    expect(await askd('mcp', 'add', 'box', ...SERVER)).toMatchObject({ code: 0 });
  });

  test('runs read-only tools, and answers with the result', { timeout: MINUTE }, async () => {
    const chat = await askd('chat', '-m', 'looker', '--mcp', 'box', 'Say hello.');
    expect(chat).toMatchObject({ code: 0, stdout: 'It is done.\n' });
    expect(chat.stderr).toContain('box: echo {"text": "hello"}');
  });

  test('does not run a tool that needs approval when nobody can be asked', { timeout: MINUTE }, async () => {
    const chat = await askd('chat', '-m', 'writer', '--mcp', 'box', 'Write hello.');
    expect(chat.code).toBe(0);
    expect(chat.stderr).toContain('there is nobody to ask');
  });

  test('asks on the terminal, and "always" is remembered', { timeout: MINUTE }, async () => {
    const args = ['chat', '-m', 'writer', '--mcp', 'box', 'Write hello.'];
    const first = startCli(args, { home: daemon.home });
    await eventually(() => first.written().stderr).toContain('Run it? y, n or always');
    first.type('always\r');
    expect(await first.exit).toBe(0);
    const [{ tools } = { tools: [] }] = (await json<{ servers: { tools: object[] }[] }>('mcp', 'list'))
      .servers;
    expect(tools).toContainEqual({ name: 'write', use: 'free' });
    expect((await askd(...args)).stderr).toContain('box: write {"text": "hello"}');
  });

  test('asks in the middle of a conversation, which then continues', { timeout: MINUTE }, async () => {
    const talk = startCli(['chat', '-m', 'writer', '--mcp', 'box'], { home: daemon.home });
    await eventually(talk.screen).toContain('>>> ');
    talk.type('Write hello.\r');
    await eventually(() => talk.written().stderr).toContain('Run it? y, n or always');
    talk.type('y\r');
    await eventually(talk.screen).toContain('It is done.');
    await eventually(() => talk.screen().split('>>> ').length).toBeGreaterThan(2);
    talk.type('/bye\r');
    expect(await talk.exit).toBe(0);
  });

  test('leaves out what changed since it was allowed, and says so', { timeout: MINUTE }, async () => {
    const changed = join(daemon.home, 'changed');
    expect(await askd('mcp', 'add', 'other', ...SERVER, changed)).toMatchObject({ code: 0 });
    writeFileSync(changed, '');
    const chat = await askd('chat', '-m', 'plain', '--mcp', 'other', 'Say hello.');
    expect(chat.stderr).toContain('new or changed tools of other are left out: echo, extra');
  });
});
