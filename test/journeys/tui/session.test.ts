import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { binFile } from '../../../src/base/paths.ts';
import { send } from '../../helpers/daemon/daemon.ts';
import { install } from '../../helpers/daemon/installation.ts';
import { openReceiver, type Receiver } from '../../helpers/servers/receiver.ts';
import { openTerminal, type Terminal } from '../../helpers/terminal/terminal.ts';

const ENTER = '\r';
const ESC = '\u001b';

const askd = `${process.execPath} ${binFile('askd.js')}`;

/** One key at a time: each takes effect before the next. */
async function fill(terminal: Terminal, text: string): Promise<void> {
  terminal.type(text);
  await terminal.shows(text.slice(-20));
}

async function openTui(env: Record<string, string>, size = { columns: 80, rows: 24 }) {
  const terminal = openTerminal(`${askd} tui`, size, env);
  await terminal.shows(/\[1 Chat\].*up /);
  return terminal;
}

async function expectCleanTerminal(terminal: Terminal, exitCode: number): Promise<void> {
  // Up to the last of the terminal's settings, which are printed after that.
  await terminal.shows(new RegExp(`ended with ${exitCode}[^]*extproc`));
  expect(terminal.isOnOtherScreen()).toBe(false);
  const output = terminal.output();
  expect(output.lastIndexOf('\u001b[?25h')).toBeGreaterThan(output.lastIndexOf('\u001b[?25l'));
  const settings = output.slice(output.lastIndexOf('ended with'));
  expect(settings).toMatch(/ icanon /);
  expect(settings).toMatch(/ echo /);
}

test('a person works a whole session on the dashboard, and the daemon dies meanwhile', async () => {
  const receiver = await openReceiver();
  onTestFinished(receiver.close);
  const { askd: run, environment, home, daemonPid } = install();
  writeFileSync(
    join(home, 'config.json'),
    JSON.stringify({ webhooks_allow_cidrs: ['127.0.0.0/8'], port: 0 }),
  );
  await run(['up']);
  const terminal = await openTui(environment);
  expect(terminal.isOnOtherScreen()).toBe(true);

  await visitScreens(terminal);
  await createAndRevokeKey(terminal);
  await topUp(terminal);
  await addWebhook(terminal, receiver);
  await resizeIt(terminal);
  await killAndRestart(terminal, {
    kill: () => process.kill(daemonPid(), 'SIGKILL'),
    up: () => run(['up']),
  });

  terminal.type('q');
  await expectCleanTerminal(terminal, 0);
});

async function visitScreens(terminal: Terminal): Promise<void> {
  for (const [key, title] of [
    ['2', '2 Overview'],
    ['3', '3 Models'],
    ['4', '4 Keys'],
    ['5', '5 Wallet'],
    ['6', '6 Webhooks'],
    ['7', '7 Agent'],
    ['8', '8 Logs'],
  ] as const) {
    terminal.type(key);
    await terminal.shows(`[${title}]`);
  }
  terminal.type('3');
  await terminal.shows('starter-chat');
}

async function createAndRevokeKey(terminal: Terminal): Promise<void> {
  terminal.type('4');
  await terminal.shows('There are no keys');
  terminal.type('n');
  await terminal.shows('Create a key');
  await fill(terminal, 'notebook');
  terminal.type(ENTER);
  await terminal.shows('space switches');
  terminal.type(ENTER);
  await terminal.shows('a date such as');
  terminal.type(ENTER);
  await terminal.shows(/ask_[A-Za-z0-9]{20}/);
  const secret = /ask_[A-Za-z0-9_-]+/.exec(terminal.text())?.[0] ?? '';
  terminal.type(ENTER);
  await terminal.shows(/▸ notebook/);
  await expect.poll(terminal.text, { timeout: 20_000 }).not.toContain(secret);

  terminal.type('d');
  await terminal.shows('Revoke a key');
  await fill(terminal, 'notebo');
  terminal.type(ENTER);
  await terminal.shows('That is not "notebook"');
  await fill(terminal, 'ok');
  terminal.type(ENTER);
  await terminal.shows('There are no keys');
}

async function topUp(terminal: Terminal): Promise<void> {
  terminal.type('5');
  await terminal.shows('Welcome');
  terminal.type('t');
  await terminal.shows('Add credits');
  await fill(terminal, '25');
  terminal.type(ENTER);
  await terminal.shows('Confirm the payment');
  // Below the URL: what is above it may be shown before the rest of the frame.
  await terminal.shows('It is valid until');
  const pay = /http:\/\/127\.0\.0\.1:\d+\/\S+/.exec(terminal.text().replaceAll('\n  ', ''))?.[0] ?? '';
  await confirmPayment(pay);
  terminal.type(ESC);
  await terminal.shows(/balance +125\.00/);
  await terminal.shows(/\+25\.00/);
}

async function addWebhook(terminal: Terminal, receiver: Receiver): Promise<void> {
  terminal.type('6');
  await terminal.shows('There are no webhooks');
  terminal.type('n');
  await terminal.shows('Add a webhook');
  terminal.type('\u0015');
  await terminal.shows(/address +█/);
  await fill(terminal, receiver.url);
  terminal.type('\t');
  await fill(terminal, 'my-app');
  terminal.type('\t');
  await terminal.shows('space switches');
  terminal.type(ENTER);
  await terminal.shows('whsec_');
  terminal.type(ENTER);
  await terminal.shows(/▸ my-app/);
  terminal.type('t');
  await terminal.shows('Delivered: status 200');
  await terminal.shows(/webhook\.test +delivered/);
  terminal.type(ENTER);
  terminal.type('R');
  await expect.poll(() => receiver.deliveries.length, { timeout: 30_000 }).toBe(2);
}

async function resizeIt(terminal: Terminal): Promise<void> {
  await terminal.resize({ columns: 120, rows: 40 });
  await terminal.shows('credits');
  await terminal.shows('│ my-app');
  await terminal.resize({ columns: 60, rows: 20 });
  await terminal.shows('askd needs 80x24, not 60x20');
  await terminal.resize({ columns: 80, rows: 24 });
  await terminal.shows('[6 Webhooks]');
}

type Daemon = { kill: () => void; up: () => Promise<unknown> };

async function killAndRestart(terminal: Terminal, daemon: Daemon): Promise<void> {
  daemon.kill();
  await terminal.shows('the data shown is old');
  await terminal.shows('my-app');
  await daemon.up();
  await terminal.shows(/● up \d+s/);
  terminal.type('3l');
  await terminal.shows('in memory');
  terminal.type('8');
  await terminal.shows('daemon started');
}

test('Ctrl-C and SIGTERM give the terminal back too', async () => {
  const { askd: run, environment, home } = install();
  await run(['up']);
  const first = await openTui(environment);
  first.type('\u0003');
  await expectCleanTerminal(first, 0);

  const pidFile = join(home, 'tui-pid');
  const second = openTerminal(
    `sh -c "echo \\$\\$ > ${pidFile}; exec ${askd} tui"`,
    { columns: 80, rows: 24 },
    environment,
  );
  await second.shows(/\[1 Chat\].*up /);
  process.kill(Number(readFileSync(pidFile, 'utf8')), 'SIGTERM');
  await expectCleanTerminal(second, 143);
});

test('without a terminal it says what to do instead', async () => {
  const { exitCode, stdout, stderr } = await install().askd(['tui']);
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  expect(stderr).toContain('The dashboard needs a terminal');
  expect(stderr).toContain('fix: askd status --json');
});

/** The daemon's own page takes the payment from a form. */
async function confirmPayment(url: string): Promise<void> {
  const { port, pathname } = new URL(url);
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const { status } = await send({ port: Number(port), method: 'POST', path: pathname, headers, body: '' });
  expect(status).toBe(303);
}
