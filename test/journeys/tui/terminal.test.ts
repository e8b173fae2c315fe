import { expect, test } from 'vitest';
import { binFile } from '../../../src/base/paths.ts';
import { install } from '../../helpers/daemon/installation.ts';
import { scriptedServer, sendEvent } from '../../helpers/servers/scripted-server.ts';
import { openTerminal, type Terminal } from '../../helpers/terminal/terminal.ts';
import { STATUS } from '../../helpers/terminal/tui.tsx';

const SIZE = { columns: 80, rows: 24 };
const CTRL_Z = '\u001a';
const askd = `${process.execPath} ${binFile('askd.js')}`;

function expectCooked(terminal: Terminal, since: string): void {
  const output = terminal.output();
  expect(terminal.isOnOtherScreen()).toBe(false);
  expect(output.lastIndexOf('\u001b[?25h')).toBeGreaterThan(output.lastIndexOf('\u001b[?25l'));
  expect(output.lastIndexOf('\u001b[?2004l')).toBeGreaterThan(output.lastIndexOf('\u001b[?2004h'));
  // A terminal keeps the mode of its keys for each of its two screens.
  expect(output.lastIndexOf('\u001b[<u')).toBeLessThan(output.lastIndexOf('\u001b[?1049l'));
  expect(output.lastIndexOf('\u001b[>5u')).toBeGreaterThan(output.lastIndexOf('\u001b[?1049h'));
  const settings = output.slice(output.lastIndexOf(since));
  expect(settings).toMatch(/ icanon /);
  expect(settings).toMatch(/ echo /);
}

test('Ctrl-Z gives the terminal to the shell as it was, and fg takes it up again', async () => {
  const { askd: run, environment } = install();
  await run(['up']);
  // A shell with job control: it stops with the dashboard, and continues with the next command.
  const terminal = openTerminal(
    `set -m; ${askd} tui; echo "stopped with $?"; stty -a; read -r line; fg >/dev/null`,
    SIZE,
    environment,
  );
  await terminal.shows(/\[1 Chat\].*up /);
  terminal.type('4');
  await terminal.shows('There are no keys');

  terminal.type(CTRL_Z);
  // Up to the last of the terminal's settings.
  await terminal.shows(/stopped with[^]*extproc/);
  expectCooked(terminal, 'stopped with');

  terminal.type('\n');
  await terminal.shows('[4 Keys]');
  expect(terminal.isOnOtherScreen()).toBe(true);
  terminal.type('5');
  await terminal.shows('Welcome');
  terminal.type('q');
  await terminal.shows(/ended with 0[^]*extproc/);
  expectCooked(terminal, 'ended with');
});

test('an exception in the middle of a frame restores the terminal, and is shown on it', async () => {
  let breakIt: () => void = () => undefined;
  const server = await scriptedServer((request, response) => {
    if (!request.path.startsWith('/api/daemon/events')) return void response.writeHead(404).end('{}');
    const send = (status: unknown) =>
      sendEvent(response, { topic: 'status', status, pulls: [], agent: { running: [], latest: null } });
    send(STATUS);
    // No daemon sends this, so nothing handles it.
    breakIt = () => send({ ...STATUS, models: 'none' });
  });
  const { environment } = install();
  const terminal = openTerminal(`${askd} tui --screen overview --host ${server.url}`, SIZE, environment);
  await terminal.shows(/\[2 Overview\].*up /);
  breakIt();
  await terminal.shows('ended with 1');
  await terminal.shows(/ended with [^]*extproc/);
  expectCooked(terminal, 'ended with');
  expect(terminal.text()).toContain('is not a function');
});
