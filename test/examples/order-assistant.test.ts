import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { commandsOf } from '../helpers/examples.ts';

test('the tests of the order assistant pass', async () => {
  const [command = ''] = commandsOf('order-assistant/assistant.test.js');
  const cwd = fileURLToPath(new URL('../../', import.meta.url));
  const { all, exitCode } = await execa(command, { shell: true, cwd, all: true, reject: false });
  expect({ exitCode, passes: /^# pass (\d+)$/m.exec(all)?.[1] ?? all }).toEqual({ exitCode: 0, passes: '6' });
});
