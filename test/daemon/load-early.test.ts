import { once } from 'node:events';
import { spawn } from 'node:child_process';
import { expect, onTestFinished, test } from 'vitest';
import { binFile } from '../../src/base/paths.ts';
import { startKillable } from '../helpers/daemon/killable-daemon.ts';
import { temporaryFolder } from '../helpers/temporary.ts';

const offline = { ASKD_OFFLINE: 'true' };
type Loaded = { models: { id: string; state: string }[] };

test('a daemon that is started for a model loads it before anyone asks', { timeout: 60_000 }, async () => {
  const { control } = await startKillable(temporaryFolder(), offline, ['--load', 'svc-chat-v1']);
  const { models } = await control<Loaded>('GET', '/api/daemon/ps');
  expect(models).toHaveLength(1);
  expect(['loading', 'loaded']).toContain(models[0]?.state);
});

test('a daemon that is started for a model it does not have serves all the same', async () => {
  const { control } = await startKillable(temporaryFolder(), offline, ['--load', 'no-such-model']);
  expect(await control<Loaded>('GET', '/api/daemon/ps')).toMatchObject({ models: [] });
});

test(
  'a daemon that is stopped while it loads a model ends without an error',
  { timeout: 60_000 },
  async () => {
    const child = spawn(process.execPath, [binFile('askd-daemon.js'), '--load', 'svc-chat-v1'], {
      env: { ...process.env, ...offline, ASKD_HOME: temporaryFolder(), ASKD_PORT: '0' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    const ended = once(child, 'exit');
    await once(child.stdout, 'data');
    child.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
  },
);
