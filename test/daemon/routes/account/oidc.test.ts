import { beforeEach, describe, expect, test } from 'vitest';
import { openAccount } from '../../../helpers/accounts/other-accounts.ts';
import { codeOf, openBrowserSession, OWN_PAGE } from '../../../helpers/accounts/sessions.ts';
import { startDaemon, type Reply, type TestDaemon } from '../../../helpers/daemon/daemon.ts';
import {
  openScriptedProvider,
  page,
  type ScriptedProvider,
} from '../../../helpers/servers/oidc/scripted-provider.ts';

let provider: ScriptedProvider;
let daemon: TestDaemon;

beforeEach(async () => {
  provider = await openScriptedProvider();
  daemon = await startDaemon(provider.env);
  await openAccount(daemon, 'acme');
});

const cookieOf = ({ headers }: Reply, index = 0) => headers['set-cookie']?.[index]?.split(';')[0] ?? '';
const post = (path: string, body: object, headers: Record<string, string> = {}) =>
  daemon.call('POST', path, { token: null, body, headers: { ...OWN_PAGE, ...headers } });

async function depart(account?: string) {
  const reply = await post('/api/login/oidc', account === undefined ? {} : { account });
  expect([reply.status, reply.text]).toEqual([200, expect.stringContaining('/authorize?')]);
  return { answer: provider.consent(reply.json<{ url: string }>().url), cookie: cookieOf(reply), reply };
}

async function signIn({ account, cookie: other }: { account?: string; cookie?: string } = {}) {
  const { answer, cookie } = await depart(account);
  return post('/api/login/oidc/finish', answer, { cookie: other ?? cookie });
}

async function whoIs(reply: Reply) {
  const headers = { cookie: cookieOf(reply), ...OWN_PAGE };
  return (await daemon.call('GET', '/api/sessions/current', { token: null, headers })).json();
}

const add = (account: string, name: string, email: string) =>
  daemon.call('POST', '/api/account/members', {
    ...{ body: { name, role: 'member', email }, headers: { 'askd-account': account } },
  });

test('a member signs in by their address, and the record says who it was', async () => {
  await add('acme', 'bo', 'bo@example.com');
  const reply = await signIn();
  expect(reply.status).toBe(201);
  expect(await whoIs(reply)).toEqual({ account: 'acme', member: 'bo', role: 'member' });
  const [record] = daemon.services.auditLog.list({ action: 'session.login', limit: 5 }).records;
  expect(record).toMatchObject({
    outcome: 'succeeded',
    object: reply.json<{ id: string }>().id,
    actor: { kind: 'session', name: 'bo' },
    after: { account: 'acme', member: 'bo', issuer: provider.issuer },
  });
});

test('the cookies are for this browser only, and the login cookie ends with the login', async () => {
  await add('acme', 'bo', 'bo@example.com');
  const { reply, answer, cookie } = await depart();
  expect(reply.headers['set-cookie']?.[0]).toMatch(
    /^askd_login_\d+=.*Max-Age=600;.*HttpOnly;.*SameSite=Strict/,
  );
  const finished = await post('/api/login/oidc/finish', answer, { cookie });
  expect(finished.headers['set-cookie']?.[1]).toMatch(/^askd_login_\d+=; Max-Age=0;/);
});

test('the provider sends the browser back to the address by which it came', async () => {
  const headers = { origin: `http://127.0.0.1:${daemon.port}` };
  const asked = await post('/api/login/oidc', {}, headers);
  const back = new URL(asked.json<{ url: string }>().url).searchParams.get('redirect_uri');
  expect(back).toBe(`${headers.origin}/login`);
  const elsewhere = await post('/api/login/oidc', {}, { origin: 'https://other.example' });
  expect(codeOf(elsewhere)).toBe('origin_not_allowed');
});

describe('nobody is signed in', () => {
  test('who is not a member, and nobody becomes one', async () => {
    const reply = await signIn();
    expect([reply.status, codeOf(reply)]).toEqual([401, 'sign_in_refused']);
    expect(reply.headers['set-cookie']).toBeUndefined();
    expect(reply.text).toContain('knows you as Bo@Example.com, but no member has that address');
    const [record] = daemon.services.auditLog.list({ action: 'session.login', limit: 1 }).records;
    expect(record).toMatchObject({ outcome: 'failed', code: 'sign_in_refused', actor: { kind: 'nobody' } });
  });

  test('after they were removed, or while their account is suspended', async () => {
    await add('acme', 'bo', 'bo@example.com');
    await daemon.call('POST', '/api/accounts/acme/suspend');
    expect(codeOf(await signIn())).toBe('account_suspended');
    await daemon.call('POST', '/api/accounts/acme/resume');
    await daemon.call('DELETE', '/api/account/members/bo', { headers: { 'askd-account': 'acme' } });
    expect(codeOf(await signIn())).toBe('sign_in_refused');
  });

  test('who was given the address of a member that had signed in before', async () => {
    await add('acme', 'bo', 'bo@example.com');
    expect((await signIn()).status).toBe(201);
    expect((await signIn()).status).toBe(201);
    provider.issue((claims, sign) => sign({ ...claims, sub: 'subject-2' }));
    const reply = await signIn();
    expect([reply.status, codeOf(reply)]).toEqual([401, 'sign_in_refused']);
    expect(reply.text).toContain('Bo@Example.com belonged to a different user of');
    await daemon.call('DELETE', '/api/account/members/bo', { headers: { 'askd-account': 'acme' } });
    await add('acme', 'bo', 'bo@example.com');
    expect((await signIn()).status).toBe(201);
  });

  test('by the answer of another browser, or by a repeated one', async () => {
    await add('acme', 'bo', 'bo@example.com');
    const { answer, cookie } = await depart();
    const other = await depart();
    expect(codeOf(await post('/api/login/oidc/finish', answer))).toBe('sign_in_refused');
    const foreign = await post('/api/login/oidc/finish', answer, { cookie: other.cookie });
    expect(codeOf(foreign)).toBe('sign_in_refused');
    expect((await post('/api/login/oidc/finish', answer, { cookie })).status).toBe(201);
    expect(codeOf(await post('/api/login/oidc/finish', answer, { cookie }))).toBe('sign_in_refused');
  });

  test.each(['/api/login/oidc', '/api/login/oidc/finish'])(
    'from a page of another site, at %s',
    async (path) => {
      const body = path.endsWith('finish') ? { state: 'some' } : {};
      expect(codeOf(await post(path, body, { 'sec-fetch-site': 'cross-site' }))).toBe('origin_not_allowed');
    },
  );

  test('by guessing: the eleventh wrong answer within a minute has to wait', async () => {
    const guess = () => post('/api/login/oidc/finish', { state: 'guessed', code: 'guessed' });
    for (let count = 0; count < 10; count += 1) expect(codeOf(await guess())).toBe('sign_in_refused');
    expect(codeOf(await guess())).toBe('too_many_attempts');
  });
});

describe('somebody in several accounts', () => {
  test('signs in to the first that they joined, or to the one that the page names', async () => {
    await add('acme', 'bo', 'bo@example.com');
    await openAccount(daemon, 'other');
    await add('other', 'bo-there', 'bo@example.com');
    expect(await whoIs(await signIn())).toMatchObject({ account: 'acme', member: 'bo' });
    expect(await whoIs(await signIn({ account: 'other' }))).toMatchObject({ member: 'bo-there' });
    expect(codeOf(await signIn({ account: 'default' }))).toBe('sign_in_refused');
  });
});

test('a browser that was signed in loses its earlier session', async () => {
  await add('acme', 'bo', 'bo@example.com');
  const earlier = await openBrowserSession(daemon);
  const { answer, cookie } = await depart();
  const both = { cookie: `${cookie}; ${earlier.cookie}` };
  expect((await post('/api/login/oidc/finish', answer, both)).status).toBe(201);
  expect((await earlier.call('GET', '/api/sessions/current')).status).toBe(401);
});

test('at most thirty logins a minute begin from one address', async () => {
  for (let count = 0; count < 30; count += 1) await post('/api/login/oidc', {});
  expect(codeOf(await post('/api/login/oidc', {}))).toBe('too_many_attempts');
});

test('doctor says whether the provider answers', async () => {
  const find = async () => {
    const reply = await daemon.call('POST', '/api/daemon/examine', { body: {} });
    return reply
      .json<{ findings: { check: string; level: string; message: string }[] }>()
      .findings.find(({ check }) => check === 'OpenID provider');
  };
  expect(await find()).toMatchObject({ level: 'ok', message: `${provider.issuer} answers` });
  provider.replace('/.well-known/openid-configuration', page(500));
  expect(await find()).toMatchObject({ level: 'warning', message: expect.stringContaining('500') as string });
});

describe('without a provider', () => {
  test('the page and the routes offer none', async () => {
    const alone = await startDaemon();
    const { text } = await alone.call('GET', '/login', { token: null });
    expect(text).not.toMatch(/<button|<!--/);
    const reply = await alone.call('POST', '/api/login/oidc', { token: null, body: {}, headers: OWN_PAGE });
    expect([reply.status, codeOf(reply)]).toEqual([404, 'not_found']);
    const examined = await alone.call('POST', '/api/daemon/examine', { body: {} });
    expect(examined.text).not.toContain('OpenID');
  });

  test.each([
    [{ ASKD_OIDC_ISSUER: 'https://login.example' }, 'oidc_client_id'],
    [{ ASKD_OIDC_ISSUER: 'http://login.example', ASKD_OIDC_CLIENT_ID: 'askd' }, 'must start with https://'],
  ])('settings that cannot work prevent the start: %j', async (env, reason) => {
    await expect(startDaemon(env)).rejects.toThrow(reason);
  });
});
