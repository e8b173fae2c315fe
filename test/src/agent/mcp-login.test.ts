import { describe, expect, test } from 'vitest';
import { BACK, openMcpServers } from '../../helpers/agent/open-mcp-servers.ts';
import { guardedServer } from '../../helpers/servers/mcp/guarded.ts';

describe('an MCP server that requires a login', () => {
  test('is added without its tools, and offers them after the login', async () => {
    const { url } = await guardedServer();
    const { add, call, logIn, state } = openMcpServers();
    expect(await add(url)).toMatchObject({ login: 'needed', offered: [] });
    await expect(call('echo')).rejects.toMatchObject({
      code: 'mcp_login_needed',
      details: { fix: 'askd mcp login tracker' },
    });
    const { offered } = await logIn();
    expect(offered.map(({ tool, state: use }) => [tool.name, use])).toContainEqual(['echo', 'free']);
    expect(state()).toBe('active');
    expect(await call('echo', { text: 'hello' })).toEqual({ text: 'hello', isError: false });
  });

  test('gets a new token when the old one expires, and when the server refuses it', async () => {
    const server = await guardedServer();
    const { add, call, logIn, clock } = openMcpServers();
    await add(server.url);
    await logIn();
    clock.advance(600_000);
    expect(await call('echo', { text: 'later' })).toMatchObject({ text: 'later' });
    expect(await server.grants()).toEqual(['authorization_code', 'refresh_token']);
    await server.endAccess();
    const texts = ['a', 'b', 'c', 'd'];
    const answers = await Promise.all(texts.map((text) => call('echo', { text })));
    expect(answers.map(({ text }) => text)).toEqual(texts);
    expect(await server.grants()).toEqual(['authorization_code', 'refresh_token', 'refresh_token']);
  });

  test('gets one new token, even if a call learns of the expiry when the new one already exists', async () => {
    const server = await guardedServer();
    const { add, call, logIn } = openMcpServers();
    await add(server.url);
    await logIn();
    expect(await call('echo', { text: 'before' })).toMatchObject({ text: 'before' });
    await server.endAccess();
    await server.refuseLate();
    const answers = await Promise.all(['a', 'b', 'c'].map((text) => call('echo', { text })));
    expect(answers.map(({ text }) => text)).toEqual(['a', 'b', 'c']);
    expect(await server.grants()).toEqual(['authorization_code', 'refresh_token']);
  });

  test('requires a login again once it refuses to renew the old one', async () => {
    const server = await guardedServer();
    const { add, call, logIn, state } = openMcpServers();
    await add(server.url);
    await logIn();
    await server.endAll();
    await expect(call('echo')).rejects.toMatchObject({
      code: 'mcp_login_needed',
      message: expect.stringContaining('refused to renew it (invalid_grant)'),
    });
    expect(state()).toBe('needed');
    await logIn();
    expect(await call('echo', { text: 'again' })).toMatchObject({ text: 'again' });
  });

  test('requests more rights at the next login when a tool needs more', async () => {
    const { url } = await guardedServer();
    const { add, call, logIn } = openMcpServers();
    await add(url);
    await logIn();
    await expect(call('delete')).rejects.toMatchObject({
      code: 'mcp_login_needed',
      message: expect.stringContaining('more rights'),
    });
    await logIn();
    expect(await call('delete', { text: 'gone' })).toMatchObject({ text: 'gone' });
  });

  test('knows askd by an id from the owner, if clients cannot register themselves', async () => {
    const server = await guardedServer('no-registration', `redirect=${BACK}`);
    const { add, call, logIn, servers } = openMcpServers();
    await add(server.url);
    await expect(logIn()).rejects.toMatchObject({
      details: { fix: 'askd mcp login tracker --client-id ID' },
    });
    await logIn({ clientId: 'by-hand', clientSecret: 'secret-of-by-hand' });
    expect(await call('echo', { text: 'known' })).toMatchObject({ text: 'known' });
    await server.endAll();
    await expect(servers.inspect('tracker')).rejects.toMatchObject({ code: 'mcp_login_needed' });
    await logIn();
    expect(await call('echo', { text: 'still known' })).toMatchObject({ text: 'still known' });
  });

  test('forgets the login when asked to, and the tokens are revoked', async () => {
    const server = await guardedServer();
    const { add, call, logIn, servers, state } = openMcpServers();
    await add(server.url);
    await logIn();
    expect(await servers.logOut('tracker')).toEqual({ wasActive: true, isRevoked: true });
    expect(await server.grants()).toContain('revoked');
    expect(state()).toBe('needed');
    await expect(call('echo')).rejects.toMatchObject({ code: 'mcp_login_needed' });
    expect(await servers.logOut('tracker')).toEqual({ wasActive: false, isRevoked: false });
  });

  test('gets no login if the owner declines', async () => {
    const { url } = await guardedServer('denies');
    const { add, logIn, state } = openMcpServers();
    await add(url);
    await expect(logIn()).rejects.toMatchObject({ message: expect.stringContaining('access_denied') });
    expect(state()).toBe('needed');
  });

  test('needs no login if the owner gave a token', async () => {
    const { url } = await guardedServer();
    const { add, servers } = openMcpServers();
    await expect(add(url, { Authorization: 'Bearer wrong' })).rejects.toMatchObject({
      message: 'The MCP server "tracker" requires a token.',
    });
    expect(servers.list()).toEqual([]);
  });
});
