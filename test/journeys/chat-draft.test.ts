import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { binFile } from '../../src/base/paths.ts';
import { answer, chatBodies, chatServer } from '../helpers/servers/chat-server.ts';
import { install } from '../helpers/daemon/installation.ts';
import { sendJson } from '../helpers/servers/scripted-server.ts';
import { temporaryFolder } from '../helpers/temporary.ts';
import { openTerminal } from '../helpers/terminal/terminal.ts';

const CTRL_G = '\u0007';
const CTRL_U = '\u0015';
const SIZE = { columns: 80, rows: 24 };

/** A conversation on a terminal, and what of it reached the model. */
async function talk(script: string) {
  const reply = answer('Well said.');
  const server = await chatServer((request, response) => {
    if (request.method === 'POST') return reply(request, response);
    return sendJson(response, 200, { object: 'list', data: [{ id: 'svc-chat-v1' }, { id: 'svc-code-v1' }] });
  });
  const editor = join(temporaryFolder(), 'editor');
  writeFileSync(editor, `#!/bin/sh\n${script}\n`);
  chmodSync(editor, 0o700);
  const { environment } = install();
  const command = `${process.execPath} ${binFile('askd.js')} chat --host ${server.url}`;
  const EDITOR = script === '' ? '' : editor;
  const terminal = openTerminal(command, SIZE, { ...environment, VISUAL: '', EDITOR });
  await terminal.shows('>>>');
  const asked = () =>
    chatBodies(server.seen).map(
      (body) =>
        (body['messages'] as { content: string }[]).filter((_, index) => index % 2 === 0).at(-1)?.content,
    );
  const leave = async () => {
    terminal.type('\u0004');
    await terminal.shows(/ended with 0[^]* icanon [^]* echo /);
  };
  return { terminal, asked, leave };
}

test('Ctrl-G opens the draft in an editor, as often as is wanted, and Enter sends what came back', async () => {
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

test('an editor that fails, or that nobody has named, leaves the draft as it was', async () => {
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

test('a paste waits for Enter, whatever it ends with, and keeps its tabs', async () => {
  const { terminal, asked, leave } = await talk('');
  terminal.type('\u001b[200~if a:\r\tb\r\u001b[201~');
  await terminal.shows(/if a:\n\s+b\n\.\.\.$/);
  terminal.type('else\r');
  await terminal.shows('Well said.');
  expect(asked()).toEqual(['if a:\n\tb\nelse']);
  await leave();
}, 120_000);

test('Tab completes a slash command and what it takes', async () => {
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
