import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../../src/base/clock.ts';
import { isAlive } from '../../../src/base/presence.ts';
import { homePaths } from '../../../src/base/paths.ts';
import { openLog } from '../../../src/log/log.ts';
import { openSeal } from '../../../src/base/sealed.ts';
import { createAgentOutbound } from '../../../src/agent/outbound.ts';
import { createMcpServers } from '../../../src/agent/mcp/servers.ts';
import { openStore } from '../../../src/store/store.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';

const HOSTILE = join(import.meta.dirname, '../../helpers/servers/mcp/hostile-server.js');
const OWNER = { requestId: 'req_test', accountId: 'acct_local', keyId: null };
const forever = new AbortController().signal;

function openServers({ callMsMax = 30_000 } = {}) {
  const folder = temporaryFolder();
  const store = openStore(join(folder, 'askd.db'));
  const { log, close } = openLog({ paths: homePaths(folder), level: 'info' });
  const outbound = createAgentOutbound({ ownPort: () => 1, allowOrigins: [] });
  const openWith = (key: string) =>
    createMcpServers({
      ...{ store, clock: systemClock, log, outbound, callMsMax },
      seal: openSeal(join(folder, key)),
    });
  const servers = openWith('key');
  onTestFinished(async () => {
    await servers.close();
    store.close();
    await close();
  });
  const hostile = (words: readonly string[] = [], env: Record<string, string> = {}) => {
    const definition = { command: process.execPath, args: [HOSTILE, ...words], cwd: folder };
    return servers.add({ name: 'hostile', definition, secrets: { env, headers: {} } });
  };
  const call = (tool: string, input: Record<string, unknown> = {}, signal = forever) =>
    servers.call({ server: 'hostile', tool, input, by: OWNER }, signal);
  return { servers, openWith, store, hostile, call, folder };
}

describe("an owner's MCP server", () => {
  test('is added with its tools unchanged; those it declares read-only need no approval', async () => {
    const { hostile, call, servers } = openServers();
    const { offered } = await hostile(['garbage']);
    expect(offered.map(({ tool, state }) => [tool.name, state]).slice(0, 2)).toEqual([
      ['echo', 'free'],
      ['write', 'ask'],
    ]);
    expect(await call('echo', { text: 'hello' })).toEqual({ text: 'hello', isError: false });
    expect(servers.list()).toMatchObject([{ name: 'hostile', env: [] }]);
    await expect(hostile()).rejects.toMatchObject({ code: 'invalid_value' });
  });

  test('is not kept when it does not answer, and its last output is in the error', async () => {
    const { hostile, servers } = openServers();
    await expect(hostile(['refuses'])).rejects.toMatchObject({
      code: 'mcp_server_failed',
      message: expect.stringContaining('no such folder'),
    });
    expect(servers.list()).toEqual([]);
  });

  test('has a minimal environment, and its secrets are encrypted on disk', async () => {
    const { hostile, call, store } = openServers();
    await hostile([], { TRACKER_TOKEN: 'a-secret-of-the-owner' });
    const { text } = await call('env');
    const allowed = ['HOME', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'TRACKER_TOKEN', 'USER'];
    expect(text.split(',').filter((name) => !allowed.includes(name))).toEqual([]);
    expect(text).toContain('TRACKER_TOKEN');
    const row = store.prepare<{ definition: string; secrets: Buffer }>('SELECT * FROM mcp_servers').get();
    expect(row?.definition).not.toContain('a-secret');
    expect(row?.secrets.includes('a-secret')).toBe(false);
  });

  test('is listed without its secrets after a restore, with how to set them again', async () => {
    const { hostile, openWith } = openServers();
    await hostile([], { TRACKER_TOKEN: 'a-secret-of-the-owner' });
    const restored = openWith('another-key');
    expect(restored.list()).toMatchObject([{ name: 'hostile', env: [] }]);
    await expect(restored.inspect('hostile')).rejects.toMatchObject({
      code: 'seal_broken',
      details: { fix: 'askd mcp rm hostile, then askd mcp add hostile …' },
    });
    await restored.remove('hostile');
    expect(restored.list()).toEqual([]);
  });

  test('cannot change a tool without its owner noticing', async () => {
    const { hostile, call, servers, folder } = openServers();
    const changed = join(folder, 'changed');
    await hostile([changed]);
    writeFileSync(changed, '');
    const { offered } = await servers.inspect('hostile');
    expect(offered.find(({ tool }) => tool.name === 'echo')?.state).toBe('changed');
    expect(offered.find(({ tool }) => tool.name === 'extra')?.state).toBe('new');
    await expect(call('echo')).rejects.toMatchObject({
      code: 'mcp_tool_not_allowed',
      message: expect.stringContaining('has changed'),
    });
    await expect(call('extra')).rejects.toMatchObject({ code: 'mcp_tool_not_allowed' });
    await servers.allow('hostile', { tools: ['echo'] });
    expect(await call('echo', { text: 'again' })).toMatchObject({ text: 'again' });
    await servers.allow('hostile', { tools: ['write'], use: 'never' });
    await expect(call('write')).rejects.toMatchObject({ message: expect.stringContaining('is not allowed') });
    await expect(servers.allow('hostile', { tools: ['nothing'] })).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  test.each(['die', 'flood', 'line'])(
    'that fails with "%s" affects only that call, and the next one works',
    { timeout: 60_000 },
    async (tool) => {
      const { hostile, call } = openServers();
      await hostile();
      await expect(call(tool)).rejects.toMatchObject({ code: 'mcp_server_failed' });
      expect(await call('echo', { text: 'well' })).toEqual({ text: 'well', isError: false });
    },
  );

  test('that hangs is restarted by the next call', { timeout: 60_000 }, async () => {
    const { hostile, call } = openServers({ callMsMax: 500 });
    await hostile(['hangs']);
    await expect(call('silent')).rejects.toMatchObject({ code: 'mcp_server_failed' });
    expect(await call('echo', { text: 'well' })).toMatchObject({ text: 'well' });
  });

  test('that never answers is abandoned by its caller', async () => {
    const { hostile, call } = openServers();
    await hostile();
    const leave = new AbortController();
    const waiting = call('silent', {}, leave.signal);
    leave.abort(new Error('left'));
    await expect(waiting).rejects.toThrow('left');
    expect(await call('echo', { text: 'well' })).toMatchObject({ text: 'well' });
  });

  test('that died is restarted once for all concurrent calls', { timeout: 60_000 }, async () => {
    const { hostile, call, servers, folder } = openServers();
    const starts = join(folder, 'starts');
    await hostile([`starts=${starts}`]);
    await expect(call('die')).rejects.toMatchObject({ code: 'mcp_server_failed' });
    const callers = ['a', 'b', 'c', 'd'];
    const answers = await Promise.all(callers.map((text) => call('echo', { text })));
    expect(answers.map(({ text }) => text)).toEqual(callers);
    await servers.close();
    const pids = readFileSync(starts, 'utf8').trim().split('\n').map(Number);
    expect([pids.length, pids.filter(isAlive)]).toEqual([2, []]);
  });

  test('has long results cut, and says so', async () => {
    const { hostile, call } = openServers();
    await hostile();
    const { text } = await call('big');
    expect(text.length).toBeLessThan(101_000);
    expect(text).toContain('2900000 more characters were left out');
  });

  test('ends with the daemon and when it is removed', async () => {
    const { hostile, servers, folder } = openServers();
    const pidFile = join(folder, 'pid');
    await hostile([`pid=${pidFile}`]);
    const pid = Number(readFileSync(pidFile, 'utf8'));
    expect(isAlive(pid)).toBe(true);
    await servers.remove('hostile');
    expect(isAlive(pid)).toBe(false);
    expect(servers.list()).toEqual([]);
  });
});
