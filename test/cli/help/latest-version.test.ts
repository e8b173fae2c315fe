import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isNewer } from '../../../cli/help/latest-version.ts';
import { version } from '../../../src/base/version.ts';
import { runCli } from '../../helpers/terminal/cli.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';

/** A PATH with an npm that prints this. */
function npmThat(script: string): Record<string, string> {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'npm'), `#!/bin/sh\n${script}\n`);
  chmodSync(join(folder, 'npm'), 0o755);
  return { PATH: `${folder}:${process.env['PATH'] ?? ''}` };
}

test('askd update says which version is the latest, and how to install it', async () => {
  const env = npmThat('[ "$*" = "view askd version" ] && echo 99.0.0');
  const { code, stdout } = await runCli(['update'], { env });
  expect(code).toBe(0);
  expect(stdout).toContain('npm install -g askd@latest');
  const checked = await runCli(['update', '--check', '--json'], { env });
  expect(checked.code).toBe(1);
  expect(JSON.parse(checked.stdout)).toEqual({
    schema: 'update/1',
    version,
    latest: '99.0.0',
    is_current: false,
  });
  expect((await runCli(['update', '--check'], { env: npmThat(`echo ${version}`) })).code).toBe(0);
});

test('a registry that does not know askd causes an error, and offline no request is made', async () => {
  const refused = await runCli(['update'], { env: npmThat('echo "npm error code E404" >&2; exit 1') });
  expect(refused).toMatchObject({ code: 7, stdout: '', stderr: expect.stringContaining('(E404)') as string });
  const offline = await runCli(['update'], { env: { ...npmThat('echo 99.0.0'), ASKD_OFFLINE: '1' } });
  expect(offline).toMatchObject({ code: 7, stdout: '' });
});

test.each([
  ['1.0.0', '0.9.9', true],
  ['0.10.0', '0.9.0', true],
  ['1.0.0', '1.0.0', false],
  ['1.0.0', '1.0.0-beta.1', true],
  ['1.0.0-beta.1', '1.0.0', false],
  ['0.9.9', '1.0.0', false],
])('%s after %s: %s', (latest, current, expected) => expect(isNewer(latest, current)).toBe(expected));
