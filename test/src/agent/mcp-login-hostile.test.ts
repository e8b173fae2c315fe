import { describe, expect, test } from 'vitest';
import { createLoginFetch } from '../../../src/agent/mcp/login/login-fetch.ts';
import { createAgentOutbound } from '../../../src/agent/outbound.ts';
import { openMcpServers } from '../../helpers/agent/open-mcp-servers.ts';
import { authorityOf, loginServer, page, type Pages } from '../../helpers/servers/mcp/hostile-login.ts';

const ABOUT = '/.well-known/oauth-protected-resource/mcp';
const AUTHORITY = '/.well-known/oauth-authorization-server';
const TOKENS = { access_token: 'access-canary-1', refresh_token: 'refresh-canary-1', token_type: 'Bearer' };

const stateOf = (url: string) => new URL(url).searchParams.get('state') ?? '';

/** A server that is honest until its owner logs in. */
async function addHonest(options: { loginMsMax?: number } = {}) {
  const server = await loginServer();
  const opened = openMcpServers(options);
  await opened.add(server.url);
  const finish = (answer: { state: string; code?: string; iss?: string }) =>
    opened.servers.finishLogin('tracker', answer);
  return { server, ...opened, finish };
}

/** The same with the owner logged in, and the token refused from the start. */
async function logInHonest(options: { loginMsMax?: number } = {}) {
  const opened = await addHonest(options);
  const { url } = await opened.begin();
  const tokens = { ...TOKENS, expires_in: 60 };
  opened.server.replace({ '/token': page(200, tokens), '/mcp': page(500) });
  await expect(opened.finish({ state: stateOf(url), code: 'code-canary-1' })).rejects.toThrow();
  expect(opened.state()).toBe('active');
  opened.clock.advance(60_000);
  return opened;
}

describe('a server that lies about its login is not added:', () => {
  const lies: Record<string, [message: string, pages: (origin: string, other: string) => Pages]> = {
    'it describes itself elsewhere': [
      'its metadata is at another origin',
      (_origin, other) => ({
        '/mcp': page(401, {}, { 'www-authenticate': `Bearer resource_metadata="${other}${ABOUT}"` }),
      }),
    ],
    'it sends on to a description at another place': [
      'HTTP 302',
      (_origin, other) => ({ [ABOUT]: page(302, {}, { location: `${other}${ABOUT}` }) }),
    ],
    'it describes another server': [
      'describes another server',
      (origin, other) => ({
        [ABOUT]: page(200, { resource: `${other}/mcp`, authorization_servers: [origin] }),
      }),
    ],
    'its authorization server has another name': [
      'says that it is',
      (origin, other) => ({ [AUTHORITY]: page(200, { ...authorityOf(origin), issuer: other }) }),
    ],
    'tokens would go over plain HTTP': [
      'an address without TLS',
      (origin) => ({
        [AUTHORITY]: page(200, { ...authorityOf(origin), token_endpoint: 'http://login.example/token' }),
      }),
    ],
    'the browser would be sent to a script': [
      'not valid (authorization_endpoint)',
      (origin) => ({
        [AUTHORITY]: page(200, { ...authorityOf(origin), authorization_endpoint: 'javascript:alert(1)' }),
      }),
    ],
    'it offers no code challenge that keeps a code safe': [
      'code challenge',
      (origin) => ({
        [AUTHORITY]: page(200, { ...authorityOf(origin), code_challenge_methods_supported: ['plain'] }),
      }),
    ],
    'its description has no end': [
      'too long or never ends',
      () => ({
        [AUTHORITY]: (response) => {
          const more = (): void => void (response.writable && response.write('x'.repeat(100_000), more));
          response.writeHead(200, { 'content-type': 'application/json' });
          more();
        },
      }),
    ],
    'its description never comes': ['no answer in 0.3 s', () => ({ [AUTHORITY]: () => undefined })],
  };

  test.each(Object.entries(lies))('%s', async (_title, [message, pages]) => {
    const other = await loginServer();
    const server = await loginServer((origin) => pages(origin, other.origin));
    const { add, begin, servers } = openMcpServers({ loginMsMax: 300 });
    const refused = { message: expect.stringContaining(message) };
    const isAdded = await add(server.url).then(
      () => true,
      (error: unknown) => void expect(error).toMatchObject(refused),
    );
    if (isAdded) await expect(begin()).rejects.toMatchObject(refused);
    else expect(servers.list()).toEqual([]);
    expect(other.seen).toEqual([]);
  });
});

describe('a login', () => {
  test('accepts only the answer to the login that it began', async () => {
    const { server, begin, finish, state } = await addHonest();
    const { url } = await begin();
    const refused = { message: expect.stringContaining('no login in progress') };
    await expect(finish({ state: 'guessed', code: 'stolen' })).rejects.toMatchObject(refused);
    expect(server.seen).not.toContain('/token');
    const answer = { state: stateOf(url), code: 'code-canary-1' };
    server.replace({ '/token': page(200, { ...TOKENS, token_type: 'DPoP' }) });
    await expect(finish(answer)).rejects.toMatchObject({ message: expect.stringContaining('have a type') });
    await expect(finish(answer)).rejects.toMatchObject(refused);
    expect(state()).toBe('needed');
  });

  test('expires after ten minutes', async () => {
    const { begin, finish, clock, server } = await addHonest();
    const { url } = await begin();
    clock.advance(10 * 60_000 + 1);
    await expect(finish({ state: stateOf(url), code: 'late' })).rejects.toMatchObject({
      message: expect.stringContaining('no login in progress'),
    });
    expect(server.seen).not.toContain('/token');
  });

  test('gives no code to a server when another one answered', async () => {
    const { server, begin, finish } = await addHonest();
    const { url } = await begin();
    const mixedUp = { state: stateOf(url), code: 'code-canary-1', iss: 'https://other.example' };
    await expect(finish(mixedUp)).rejects.toMatchObject({
      message: expect.stringContaining('a server other than'),
    });
    expect(server.seen).not.toContain('/token');
  });

  test('asks for tokens for that one server only, and proves that it began the login', async () => {
    const { server, begin, finish } = await addHonest();
    const { searchParams } = new URL((await begin()).url);
    expect(Object.fromEntries(searchParams)).toMatchObject({
      resource: server.url,
      code_challenge_method: 'S256',
      client_id: 'made',
    });
    server.replace({ '/mcp': page(500) });
    await expect(finish({ state: searchParams.get('state') ?? '', code: 'code' })).rejects.toThrow();
    const form = Object.fromEntries(server.forms[server.seen.indexOf('/token')] ?? []);
    expect(form).toMatchObject({ grant_type: 'authorization_code', resource: server.url });
    expect(form['code_verifier']).toMatch(/^[\w.~-]{43,128}$/);
  });

  test('repeats nothing that was sent when the server echoes it', async () => {
    const { server, begin, finish } = await addHonest();
    server.replace({
      '/token': (response, form) =>
        page(400, { error: `bad ${form.toString()}`, error_description: form.toString() })(response, form),
    });
    const { url } = await begin();
    await expect(finish({ state: stateOf(url), code: 'code-canary-1' })).rejects.toSatisfy((error: Error) => {
      expect(error.message).toContain('no reason given');
      expect(JSON.stringify([error.message, error.cause])).not.toMatch(/code-canary|verifier/);
      return true;
    });
  });

  test('gives a client id only to the server for which it was issued', async () => {
    const first = await loginServer();
    const second = await loginServer();
    const { servers, add, begin } = openMcpServers();
    await add(first.url);
    const { url } = await begin({ clientId: 'by-hand', clientSecret: 'secret-canary-1' });
    first.replace({ '/mcp': page(500) });
    await expect(servers.finishLogin('tracker', { state: stateOf(url), code: 'code' })).rejects.toThrow();
    first.replace({ [ABOUT]: page(200, { resource: first.url, authorization_servers: [second.origin] }) });
    await expect(begin()).rejects.toMatchObject({
      message: expect.stringContaining(`the client id was for ${first.origin}`),
    });
    expect(second.seen).toEqual([AUTHORITY]);
  });
});

describe('the renewal of a login', () => {
  test.each([
    ['hangs', () => undefined],
    ['fails', page(500, 'refresh-canary-1')],
    ['is told to wait', page(429, { error: 'too_many_requests' })],
    ['gets nonsense', page(200, { token: 'none' })],
  ] as const)('that %s fails that call alone', async (_title, answer) => {
    const { server, call, servers, state } = await logInHonest({ loginMsMax: 300 });
    server.replace({ '/token': answer });
    await expect(call('echo')).rejects.toMatchObject({
      code: 'mcp_server_failed',
      message: expect.not.stringContaining('canary'),
    });
    expect(state()).toBe('active');
    server.replace({ '/token': page(200, { ...TOKENS, access_token: 'access-canary-2' }) });
    await expect(servers.inspect('tracker')).rejects.toMatchObject({ code: 'mcp_server_failed' });
    expect(server.forms.at(server.seen.lastIndexOf('/token'))?.get('refresh_token')).toBe('refresh-canary-1');
  });

  test('goes to the server of the login, whatever the MCP server now says', async () => {
    const { server, call } = await logInHonest();
    const other = await loginServer();
    server.replace({ [ABOUT]: page(200, { resource: server.url, authorization_servers: [other.origin] }) });
    await expect(call('echo')).rejects.toThrow();
    expect(other.seen).toEqual([]);
    expect(server.seen.filter((path) => path === '/token')).toHaveLength(2);
  });
});

test('a public server cannot lead to a private network', async () => {
  const inner = await loginServer();
  const outbound = createAgentOutbound({ ownPort: () => 1, allowOrigins: [] });
  const { fetch } = createLoginFetch(
    { outbound, answerMsMax: 5000 },
    { name: 'tracker', url: 'https://mcp.example.com/mcp' },
  );
  await expect(fetch(`${inner.origin}${AUTHORITY}`)).rejects.toMatchObject({ code: 'mcp_server_failed' });
  await expect(fetch('http://mcp.example.com/mcp')).rejects.toThrow('does not use TLS');
  expect(inner.seen).toEqual([]);
});
