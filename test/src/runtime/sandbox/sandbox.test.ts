import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { profile } from '../../../../src/runtime/sandbox/sandbox-exec.ts';
import { createSandbox, type SandboxMode } from '../../../../src/runtime/sandbox/sandbox.ts';
import { temporaryFolder } from '../../../helpers/temporary.ts';

const missing: string[] = [];
const onMissing = ({ reason }: { reason: string }) => void missing.push(reason);
const options = { home: '/nowhere', memoryBytes: 0, platform: 'linux' as const, onMissing };
const without = (mode: SandboxMode) => createSandbox({ mode, ...options, places: [] });

describe('when bubblewrap is missing', () => {
  test('models run without it, which is reported once', async () => {
    missing.length = 0;
    const sandbox = without('auto');
    for (let start = 0; start < 3; start++) expect((await sandbox.forRunner()).name).toBe(null);
    expect(missing).toEqual(['bubblewrap is not installed']);
  });

  test('no model starts when a sandbox is required, and the error says what to install', async () => {
    await expect(without('required').forRunner()).rejects.toMatchObject({
      code: 'sandbox_unavailable',
      message: expect.stringContaining('bubblewrap is not installed'),
      details: { fix: expect.stringContaining('apt-get install bubblewrap') },
    });
  });
});

test('a bubblewrap that fails on this machine is not used, and its output is the reason', async () => {
  const folder = temporaryFolder();
  const program = join(folder, 'bwrap');
  writeFileSync(program, '#!/bin/sh\necho "bwrap: No permissions to create new namespace" >&2\nexit 1\n');
  chmodSync(program, 0o755);
  const state = await createSandbox({ mode: 'auto', ...options, places: [folder] }).find();
  expect(state).toMatchObject({
    name: null,
    reason: 'bubblewrap does not work here (bwrap: No permissions to create new namespace)',
    fix: expect.stringContaining('user namespaces'),
  });
});

test('nothing is looked for or reported when it is off', async () => {
  missing.length = 0;
  expect(await without('off').forRunner()).toMatchObject({
    name: null,
    reason: 'the setting sandbox is off',
  });
  expect(missing).toEqual([]);
});

test('on Windows there is none, and nothing to install', async () => {
  const state = await createSandbox({ mode: 'auto', ...options, platform: 'win32' }).find();
  expect(state).toEqual({ name: null, reason: 'askd has no sandbox for win32' });
});

test('the profile for macOS closes the network and the home, and opens the files of the model after that', () => {
  const text = profile({ read: ['/Users/a/m "1".gguf'], write: [] }, '/Users/a/askd');
  expect(text).toContain('(deny network*)');
  expect(text).toContain('(allow file-read-data (subpath "/Users/a/m \\"1\\".gguf"))');
  expect(text.indexOf('(deny file-read-data')).toBeLessThan(text.indexOf('(allow file-read-data'));
});
