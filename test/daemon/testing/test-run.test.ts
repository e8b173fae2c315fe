import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { binFile } from '../../../src/base/paths.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';

/** The real daemon with `--test`, using a temporary folder that this test can inspect. */
function start(flags: readonly string[] = [], env: Record<string, string> = {}) {
  const folder = temporaryFolder();
  const child = spawn(process.execPath, [binFile('askd-daemon.js'), '--test', ...flags], {
    env: { ...process.env, TMPDIR: folder, TEMP: folder, TMP: folder, ...env },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let said = '';
  child.stderr.on('data', (part: Buffer) => (said += part.toString()));
  const announced = (async () => {
    for await (const line of createInterface(child.stdout))
      if (line.startsWith('{')) return JSON.parse(line) as Record<string, string>;
    throw new Error(said);
  })();
  announced.catch(() => undefined);
  return { child, folder, announced, ended: once(child, 'exit'), said: () => said };
}

test("it prints its address and its key, and leaves its user's home alone", async () => {
  const own = temporaryFolder();
  const { announced } = start([], { ASKD_HOME: own });
  const { base_url: baseUrl, api_key: key, home } = await announced;
  const response = await fetch(`${baseUrl}/models`, { headers: { authorization: `Bearer ${key}` } });
  expect(response.status).toBe(200);
  expect(baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v1$/);
  expect(home).not.toBe(own);
  expect(readdirSync(own)).toEqual([]);
});

test.each(['its input ends', 'a signal comes'] as const)('when %s it is gone with its home', async (how) => {
  const { child, folder, announced, ended } = start();
  const { home = '' } = await announced;
  expect(existsSync(home)).toBe(true);
  if (how === 'its input ends') child.stdin.destroy();
  else child.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
  expect(readdirSync(folder)).toEqual([]);
});

test('input that ends before it serves also ends it', async () => {
  const { child, folder, ended } = start();
  child.stdin.end();
  expect(await ended).toEqual([0, null]);
  expect(readdirSync(folder)).toEqual([]);
});

test('a running request does not delay its end', async () => {
  const { child, announced, ended } = start();
  const { management_url: url, root_token: token } = await announced;
  const { request } = await import('node:http');
  const watching = request(`${url}/api/daemon/events`, { headers: { authorization: `Bearer ${token}` } });
  watching.on('error', () => undefined).end();
  await once(watching, 'response');
  child.stdin.end();
  expect(await ended).toEqual([0, null]);
});

test('it listens on this machine only', async () => {
  const { folder, ended, said } = start(['--host', '0.0.0.0']);
  expect(await ended).toEqual([2, null]);
  expect(said()).toContain('listens on 127.0.0.1');
  expect(readdirSync(folder)).toEqual([]);
});
