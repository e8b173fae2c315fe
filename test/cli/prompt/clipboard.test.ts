import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { copyText } from '../../../cli/prompt/clipboard.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';

const TEXT = 'Grüße\nund mehr';
const SEQUENCE = `\u001b]52;c;${Buffer.from(TEXT).toString('base64')}\u0007`;

/** A desktop whose clipboard programs write into a file; returns what reaches the terminal. */
async function copyWith(env: Record<string, string>, programs = ['xclip', 'pbcopy']) {
  const folder = temporaryFolder();
  const clipboard = join(folder, 'clipboard');
  for (const name of programs) {
    writeFileSync(join(folder, name), `#!/bin/sh\nexec /bin/cat > '${clipboard}'\n`);
    chmodSync(join(folder, name), 0o755);
  }
  const stdout = new PassThrough({ encoding: 'utf8' });
  const io = { stdin: new PassThrough(), stdout, stderr: new PassThrough() };
  await copyText({ io, environment: { env: { PATH: folder, ...env } } } as never, TEXT);
  return {
    terminal: String(stdout.read() ?? ''),
    desktop: existsSync(clipboard) ? readFileSync(clipboard, 'utf8') : undefined,
  };
}

test('a copy reaches the clipboard of the desktop, for terminals that ignore the sequence', async () => {
  expect(await copyWith({ DISPLAY: ':0' })).toEqual({ terminal: SEQUENCE, desktop: TEXT });
});

test('of several programs the first that is installed is used', async () => {
  const { desktop } = await copyWith({ DISPLAY: ':0', WAYLAND_DISPLAY: 'wayland-0' }, ['xsel', 'pbcopy']);
  expect(desktop).toBe(TEXT);
});

test('without a program, and across ssh, the terminal alone gets it', async () => {
  expect(await copyWith({ DISPLAY: ':0' }, [])).toEqual({ terminal: SEQUENCE, desktop: undefined });
  expect(await copyWith({ DISPLAY: ':0', SSH_CONNECTION: '10.0.0.1 1 10.0.0.2 22' })).toEqual({
    terminal: SEQUENCE,
    desktop: undefined,
  });
});
