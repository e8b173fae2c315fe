import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../helpers/temporary.ts';
import { openConversation } from '../../helpers/terminal/conversation.ts';

const CTRL_G = '\u0007';
const CTRL_U = '\u0015';

/** A conversation whose user's editor is this script. */
function talk(script: string) {
  const editor = join(temporaryFolder(), 'editor');
  writeFileSync(editor, `#!/bin/sh\n${script}\n`);
  chmodSync(editor, 0o700);
  return openConversation({ env: { VISUAL: '', EDITOR: script === '' ? '' : editor } });
}

test('Ctrl-G opens the draft in an editor, any number of times, and Enter sends the result', async () => {
  const { terminal, asked, leave } = await talk(
    'printf "%s twice\\nand a line\\n" "$(cat "$1")" > "$1.new" && mv "$1.new" "$1"',
  );
  terminal.type(`said${CTRL_G}`);
  await terminal.shows(/^>>> said twice\n\.\.\. and a line$/m);
  terminal.type(` more${CTRL_G}`);
  await terminal.shows(/^>>> said twice\n\.\.\. and a line more twice\n\.\.\. and a line$/m);
  terminal.type('\r');
  await terminal.shows('Well said.');
  expect(asked()).toEqual(['said twice\nand a line more twice\nand a line']);
  await leave();
}, 120_000);

test('an editor that fails, or is not set, leaves the draft as it was', async () => {
  const failing = await talk('echo lost > "$1"; exit 3');
  failing.terminal.type(`kept${CTRL_G}`);
  await failing.terminal.shows(/The editor ended with 3\. The draft is unchanged\.\n>>> kept$/m);
  failing.terminal.type('\r');
  await failing.terminal.shows('Well said.');
  expect(failing.asked()).toEqual(['kept']);
  await failing.leave();

  const none = await talk('');
  none.terminal.type(`kept${CTRL_G}`);
  await none.terminal.shows(/EDITOR=nano askd chat\n>>> kept$/m);
  none.terminal.type(CTRL_U);
  await none.leave();
}, 120_000);

test('a paste waits for Enter, however it ends, and keeps its tabs', async () => {
  const { terminal, asked, leave } = await talk('');
  terminal.type('\u001b[200~if a:\r\tb\r\u001b[201~');
  await terminal.shows(/if a:\n\.\.\. +b\n\.\.\.$/m);
  terminal.type('else\r');
  await terminal.shows('Well said.');
  expect(asked()).toEqual(['if a:\n\tb\nelse']);
  await leave();
}, 120_000);

test('Tab completes a slash command and its arguments', async () => {
  const { terminal, leave } = await talk('');
  terminal.type('/mo\t');
  await terminal.shows(/^>>> \/model$/m);
  terminal.type('svc-co\t');
  await terminal.shows('>>> /model svc-code-v1');
  terminal.type('\r');
  await terminal.shows('Switched to svc-code-v1.');
  terminal.type('/set te\t0.5\r');
  await terminal.shows(/temperature.*0\.5/);
  await leave();
}, 120_000);

test.each(['', '--plain'])(
  'lines typed before the chat has started are sent in order, and the unfinished one is the draft %s',
  async (flags) => {
    const ahead = 'first\rsecond one\r\r"""third\rline"""\r/set seed 7\rthe re';
    const { terminal, asked, bodies, leave } = await openConversation({ ahead, flags });
    await terminal.shows(/(Well said\.[^]*){3}>>> the re$/m);
    terminal.type('st\r');
    await terminal.shows(/(Well said\.[^]*){4}/);
    expect(asked()).toEqual(['first', 'second one', 'third\nline', 'the rest']);
    expect(bodies().at(-1)).toMatchObject({ seed: 7 });
    await leave();
  },
  120_000,
);
