import { expect, test } from 'vitest';
import { namedServer, ownServer, serverRoot } from '../../../cli/client/target.ts';
import { readEnvironment } from '../../../src/config/config.ts';
import { homePaths } from '../../../src/base/paths.ts';
import { readPresence } from '../../../src/base/presence.ts';
import { openRootToken } from '../../../src/base/secrets.ts';
import { announce } from '../../helpers/terminal/cli.ts';
import { scriptedServer, sendJson } from '../../helpers/servers/scripted-server.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';

test.each([
  ['http://127.0.0.1:11535', 'http://127.0.0.1:11535'],
  ['http://127.0.0.1:11535/v1', 'http://127.0.0.1:11535'],
  ['http://127.0.0.1:11535/v1/', 'http://127.0.0.1:11535'],
  ['127.0.0.1:11535', 'http://127.0.0.1:11535'],
  ['localhost:1', 'http://localhost:1'],
  ['https://example.com/askd/v1', 'https://example.com/askd'],
])('the address %s means the server %s', (address, root) => {
  expect(serverRoot(address)).toBe(root);
});

test.each(['ftp://x', 'http://', 'http://a b', 'file:///etc/passwd'])('%s is not an address', (address) => {
  expect(() => serverRoot(address)).toThrow(expect.objectContaining({ code: 'invalid_value' }) as Error);
});

const signal = new AbortController().signal;

async function homeWithDaemon({ bootId = 'boot' } = {}) {
  const paths = homePaths(temporaryFolder());
  const rootToken = openRootToken(paths.rootToken).current();
  const { port, url } = await scriptedServer((_, response) =>
    sendJson(response, 200, { status: 'ok', version: '1', boot_id: bootId }),
  );
  announce({ home: paths.home, port });
  return { home: { paths, signal }, paths, rootToken, url };
}

test('inference goes where the environment says, with its key', async () => {
  const { home } = await homeWithDaemon();
  const environment = readEnvironment({
    ASKD_BASE_URL: 'https://there.example/v1',
    ASKD_API_KEY: 'ask_there',
  });
  expect(await namedServer({ kind: 'inference', environment }, home)).toMatchObject({
    url: 'https://there.example',
    token: 'ask_there',
  });
  expect(await namedServer({ kind: 'control', environment }, home)).toBeUndefined();
});

test('--host takes precedence over the environment, for every command', async () => {
  const { home } = await homeWithDaemon();
  const environment = readEnvironment({ ASKD_BASE_URL: 'https://there.example/v1' });
  const server = await namedServer({ kind: 'control', host: 'https://flag.example', environment }, home);
  expect(server).toMatchObject({ url: 'https://flag.example', remote: true });
});

test("the root token goes only to the user's own daemon", async () => {
  const { home, rootToken, url } = await homeWithDaemon();
  const tokenFor = async (host: string) =>
    (await namedServer({ kind: 'control', host, environment: readEnvironment({}) }, home))?.token;
  expect(await tokenFor(`${url}/v1`)).toBe(rootToken);
  expect(await tokenFor('http://127.0.0.1:1')).toBeUndefined();
  expect(await tokenFor('https://there.example')).toBeUndefined();
});

test('the root token does not go to another daemon that has taken the port', async () => {
  const { home, url } = await homeWithDaemon({ bootId: 'another' });
  const server = await namedServer({ kind: 'control', host: url, environment: readEnvironment({}) }, home);
  expect(server).toMatchObject({ url });
  expect(server?.token).toBeUndefined();
});

test("with the user's own daemon, a key from the environment is for inference and the root token for the rest", async () => {
  const { paths, rootToken } = await homeWithDaemon();
  const presence = readPresence(paths.presence);
  if (!presence) throw new Error('no presence');
  const environment = readEnvironment({ ASKD_API_KEY: 'ask_mine' });
  expect(ownServer({ kind: 'inference', environment }, paths, presence).token).toBe('ask_mine');
  expect(ownServer({ kind: 'control', environment }, paths, presence).token).toBe(rootToken);
});
