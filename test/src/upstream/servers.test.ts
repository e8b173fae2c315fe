import { expect, test } from 'vitest';
import { createServers } from '../../../src/upstream/servers.ts';

function threeServers() {
  let nowMs = 0;
  const servers = createServers(['a', 'b', 'c'], () => nowMs);
  const first = () => servers.inOrder()[0]!;
  const named = (url: string) => servers.inOrder().find((server) => server.url === url)!;
  return { servers, first, named, pass: (ms: number) => void (nowMs += ms) };
}

test('idle servers take turns', () => {
  const { first } = threeServers();
  expect(new Set([first(), first(), first()].map(({ url }) => url)).size).toBe(3);
});

test('the least busy one is asked first', () => {
  const { named, first } = threeServers();
  named('a').running = 2;
  named('b').running = 1;
  expect([first(), first(), first()].map(({ url }) => url)).toEqual(['c', 'c', 'c']);
});

test('a server that failed rests, longer each time, and is asked last meanwhile', () => {
  const { servers, named, first, pass } = threeServers();
  named('b').running = 5;
  named('c').running = 5;
  servers.failed(named('a'));
  expect(first().url).not.toBe('a');
  expect(servers.inOrder().at(-1)?.url).toBe('a');
  pass(500);
  expect(first().url).toBe('a');
  servers.failed(named('a'));
  pass(999);
  expect(first().url).not.toBe('a');
  pass(1);
  expect(first().url).toBe('a');
  for (let failures = 0; failures < 20; failures++) servers.failed(named('a'));
  pass(30_000);
  expect(first().url).toBe('a');
});

test('a server that succeeds is healthy again', () => {
  const { servers, named, first } = threeServers();
  named('b').running = named('c').running = 1;
  servers.failed(named('a'));
  servers.succeeded(named('a'));
  expect(first().url).toBe('a');
});
