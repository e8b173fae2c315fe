import { expect, test } from 'vitest';
import { namedServer, ownServer, serverRoot } from '../../cli/target.ts';
import { readEnvironment } from '../../src/config.ts';
import { homePaths } from '../../src/paths.ts';
import { readPresence } from '../../src/presence.ts';
import { openRootToken } from '../../src/secrets.ts';
import { announce } from '../helpers/cli.ts';
import { temporaryFolder } from '../helpers/temporary.ts';

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

test.each(['ftp://x', 'http://', 'http://a b', 'file:///etc/passwd'])('%s is no address', (address) => {
  expect(() => serverRoot(address)).toThrow(expect.objectContaining({ code: 'invalid_value' }) as Error);
});

function homeWithDaemon() {
  const paths = homePaths(temporaryFolder());
  const rootToken = openRootToken(paths.rootToken).current();
  announce({ home: paths.home, port: 11535 });
  return { paths, rootToken };
}

test('inference goes where the environment says, with its key', () => {
  const { paths } = homeWithDaemon();
  const environment = readEnvironment({
    ASKD_BASE_URL: 'https://there.example/v1',
    ASKD_API_KEY: 'ask_there',
  });
  expect(namedServer({ kind: 'inference', environment }, paths)).toMatchObject({
    url: 'https://there.example',
    token: 'ask_there',
  });
  expect(namedServer({ kind: 'control', environment }, paths)).toBeUndefined();
});

test('--host counts before the environment, and for every command', () => {
  const { paths } = homeWithDaemon();
  const environment = readEnvironment({ ASKD_BASE_URL: 'https://there.example/v1' });
  const server = namedServer({ kind: 'control', host: 'https://flag.example', environment }, paths);
  expect(server).toMatchObject({ url: 'https://flag.example', remote: true });
});

test('the root token goes to the own daemon alone', () => {
  const { paths, rootToken } = homeWithDaemon();
  const environment = readEnvironment({});
  const target = (host: string) => namedServer({ kind: 'control', host, environment }, paths);
  expect(target('http://127.0.0.1:11535/v1')?.token).toBe(rootToken);
  expect(target('http://127.0.0.1:11536')?.token).toBeUndefined();
  expect(target('https://there.example')?.token).toBeUndefined();
});

test('with the own daemon, a key of the environment is for inference and the root token for the rest', () => {
  const { paths, rootToken } = homeWithDaemon();
  const presence = readPresence(paths.presence);
  if (!presence) throw new Error('no presence');
  const environment = readEnvironment({ ASKD_API_KEY: 'ask_mine' });
  expect(ownServer({ kind: 'inference', environment }, paths, presence).token).toBe('ask_mine');
  expect(ownServer({ kind: 'control', environment }, paths, presence).token).toBe(rootToken);
});
