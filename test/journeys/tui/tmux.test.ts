import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { binFile } from '../../../src/base/paths.ts';
import { install } from '../../helpers/daemon/installation.ts';
import { scriptedServer, sendEvent } from '../../helpers/servers/scripted-server.ts';
import { conversationServer } from '../../helpers/terminal/conversation.ts';
import { gradientFile } from '../../helpers/terminal/pictures.ts';
import type { Terminal } from '../../helpers/terminal/terminal.ts';
import { hasTmux, openTmux } from '../../helpers/terminal/tmux.ts';
import { STATUS } from '../../helpers/terminal/tui.tsx';
import { temporaryFolder } from '../../helpers/temporary.ts';

const MINUTE = 60_000;
const SIZE = { columns: 120, rows: 40 };
const askd = `${process.execPath} ${binFile('askd.js')}`;
const ESC = '\u001b';

/** A daemon that has nothing but events, as many as the test wants. */
async function daemonOfEvents() {
  let stream: ServerResponse | undefined;
  let sent = 0;
  const server = await scriptedServer((request, response) => {
    if (!request.path.startsWith('/api/daemon/events')) return void response.writeHead(404).end('{}');
    stream = response;
    const nothing = { running: [], latest: null };
    sendEvent(response, { topic: 'status', status: STATUS, pulls: [], agent: nothing });
  });
  const now = () => new Date().toISOString();
  return {
    url: server.url,
    /** A unique event, which is shown once all before it have been read. */
    end: () =>
      sendEvent(stream!, {
        ...{ topic: 'model', id: 'evt_end', type: 'model.loaded', created_at: now() },
        data: { artifact: 'the-last', device: 'cpu', load_ms: 812 },
      }),
    /** Completed chats, which the dashboard folds into one row with their number. */
    send(count: number): void {
      for (let each = 0; each < count; each++) {
        const id = String((sent += 1));
        sendEvent(stream!, {
          ...{ topic: 'chat', id: `evt_${id}`, type: 'chat.completed', created_at: now() },
          data: { request_id: `req_${id}`, model: 'svc-chat-v1', outcome: 'finished', cost: 0 },
        });
      }
    },
  };
}

async function openDashboard(settings: readonly string[] = []) {
  const daemon = await daemonOfEvents();
  const { environment } = install();
  const tmux = await openTmux(
    `echo before; ${askd} tui --screen overview --host ${daemon.url}; echo "ended with $?"; exec sh`,
    SIZE,
    { env: environment, settings },
  );
  await tmux.shows(/\[2 Overview\].*up /);
  return { ...tmux, daemon };
}

type ChatOptions = { settings?: readonly string[]; folder?: string; flags?: string; name?: string };

async function openChat({ settings = [], folder = '.', flags = '', name }: ChatOptions) {
  const { url, asked } = await conversationServer();
  const { environment } = install();
  const command = `cd ${folder}; ${askd} chat --host ${url} ${flags}; echo "ended with $?"; exec sh`;
  const tmux = await openTmux(command, SIZE, { env: environment, settings, ...(name && { name }) });
  await tmux.shows('>>>');
  return { ...tmux, asked };
}

/** One header, one footer and one rule of full width: nothing is left over from a frame of another size. */
function isWhole(frame: string, { columns, rows }: typeof SIZE): boolean {
  const lines = frame.split('\n');
  const count = (wanted: string) => frame.split(wanted).length - 1;
  return (
    count('[2 Overview]') === 1 &&
    count('? help') === 1 &&
    (lines[0] ?? '').startsWith(' 1 Chat[2 Overview]') &&
    lines[1] === '─'.repeat(columns) &&
    lines.slice(0, rows).some((line) => line.includes('? help'))
  );
}

/** The screen after each piece that the terminal received. */
function watch(terminal: Terminal): { frames: Set<string> } {
  const frames = new Set<string>();
  terminal.screen.onWriteParsed(() => void frames.add(terminal.text()));
  return { frames };
}

test.skipIf(!hasTmux)(
  'the dashboard fills its pane, however often it is dragged, split and zoomed',
  async () => {
    const { terminal, tmux, pane, shows } = await openDashboard();
    const fills = (columns: number, rows = SIZE.rows) =>
      expect.poll(async () => isWhole(await pane(), { columns, rows }), { timeout: 2 * MINUTE }).toBe(true);
    await fills(120);
    await tmux('split-window', '-h', '-d', '-l', '30', 'exec cat');
    await fills(89);
    // As fast as a border is dragged.
    for (let dragged = 0; dragged < 12; dragged++)
      await tmux('resize-pane', '-t', '%0', dragged % 4 < 3 ? '-R' : '-L', '3');
    const columns = Number(await tmux('display-message', '-p', '-t', '%0', '#{pane_width}'));
    expect(columns).toBeGreaterThan(90);
    await fills(columns);
    await tmux('resize-pane', '-t', '%0', '-x', '40');
    await shows(/askd needs 80x24, not 40x40\. q quits\./);
    await tmux('resize-pane', '-Z', '-t', '%0');
    await fills(120);
    await tmux('resize-pane', '-Z', '-t', '%0');
    await shows(/askd needs 80x24, not 40x40\. q quits\./);
    await tmux('kill-pane', '-t', '%1');
    await fills(120);
    await tmux('split-window', '-v', '-d', '-l', '12', 'exec cat');
    await fills(120, 27);
    // The terminal, which knows nothing of askd, shows the same.
    await expect
      .poll(() => terminal.text().split('\n').slice(0, 2).join('\n'))
      .toBe((await pane()).split('\n').slice(0, 2).join('\n'));
  },
  4 * MINUTE,
);

test.skipIf(!hasTmux)(
  'nothing flickers while events arrive, and an hour of them is there when one attaches again',
  async () => {
    const { terminal, tmux, daemon, shows, attach, pane } = await openDashboard();
    const { frames } = watch(terminal);
    for (let burst = 1; burst <= 10; burst++) {
      daemon.send(6);
      await terminal.shows(new RegExp(`chat\\.completed × ${burst * 6}\\b`));
    }
    expect(frames.size).toBeGreaterThanOrEqual(10);
    expect([...frames].filter((frame) => !isWhole(frame, SIZE))).toEqual([]);

    await tmux('detach-client');
    await terminal.shows('ended with 0');
    daemon.send(20_000);
    daemon.end();
    await shows('model.loaded');
    const again = attach();
    await again.shows('model.loaded');
    expect(isWhole(again.text(), SIZE)).toBe(true);
    await expect.poll(async () => isWhole(await pane(), SIZE)).toBe(true);
  },
  4 * MINUTE,
);

test.skipIf(!hasTmux)(
  'the pane is the shell’s again after the end, and after a kill what tmux starts in it is whole',
  async () => {
    const { tmux, is, keys, shows, pane } = await openDashboard(['set -g remain-on-exit on']);
    await is('#{alternate_on} #{cursor_flag}', '1 0');
    await keys('q');
    await shows(/^before\nended with 0\n/);
    await is('#{alternate_on} #{cursor_flag}', '0 1');

    const daemon = await daemonOfEvents();
    const { environment } = install();
    const home = Object.entries(environment).flatMap(([name, value]) => ['-e', `${name}=${value}`]);
    const start = `exec ${askd} tui --screen overview --host ${daemon.url}`;
    await tmux('respawn-pane', '-k', '-t', '%0', ...home, start);
    await shows(/\[2 Overview\].*up /);
    process.kill(Number(await tmux('display-message', '-p', '-t', '%0', '#{pane_pid}')), 'SIGKILL');
    // tmux 3.3a does not always notice the end of a process, and then takes its pane only with -k.
    await tmux('respawn-pane', '-k', '-t', '%0', ...home, start);
    await is('#{alternate_on} #{cursor_flag}', '1 0');
    await expect.poll(async () => isWhole(await pane(), SIZE), { timeout: MINUTE }).toBe(true);
  },
  4 * MINUTE,
);

test.skipIf(!hasTmux)(
  'the mouse is for tmux: the wheel scrolls back, and down again to what is shown now',
  async () => {
    const wheelUp = `${ESC}[<64;10;10M`;
    const wheelDown = `${ESC}[<65;10;10M`;
    const chat = await openChat({ settings: ['set -g mouse on'] });
    chat.terminal.type('hello\r');
    await chat.shows('Well said.');
    chat.terminal.type(wheelUp);
    await chat.is('#{pane_in_mode}', '1');
    chat.terminal.type(wheelDown);
    await chat.is('#{pane_in_mode}', '0');
    chat.terminal.type('again\r');
    await expect.poll(chat.asked, { timeout: MINUTE }).toEqual(['hello', 'again']);

    const dashboard = await openDashboard(['set -g mouse on']);
    dashboard.terminal.type(wheelUp);
    await dashboard.is('#{pane_in_mode}', '1');
    dashboard.daemon.send(6);
    dashboard.terminal.type(wheelDown);
    await dashboard.is('#{pane_in_mode}', '0');
    dashboard.terminal.type('4');
    await dashboard.shows('[4 Keys]');
  },
  4 * MINUTE,
);

test.skipIf(!hasTmux)(
  'a megabyte that tmux pastes is one mark and is sent whole, and what is copied reaches tmux and the terminal',
  async () => {
    const { terminal, tmux, keys, shows, asked } = await openChat({
      settings: ['set -g set-clipboard on'],
    });
    const text =
      Array.from({ length: 20_000 }, (_, index) => `line ${index} of a text that is long enough`).join('\n') +
      '\n'.repeat(0);
    const file = join(temporaryFolder(), 'text');
    writeFileSync(file, text);
    await keys('what is ');
    await tmux('load-buffer', file);
    await tmux('paste-buffer', '-p', '-t', '%0');
    await shows('>>> what is [pasted 20,000 lines]');
    await keys('Enter');
    await shows('Well said.');
    expect(asked()).toEqual([`what is ${text}`]);

    await keys('/copy', 'Enter');
    await expect.poll(() => tmux('show-buffer'), { timeout: MINUTE }).toBe('Well said.');
    await expect
      .poll(terminal.output, { timeout: MINUTE })
      .toMatch(`;${Buffer.from('Well said.').toString('base64')}`);
  },
  4 * MINUTE,
);

test.skipIf(!hasTmux).each([
  ['on', true],
  ['off', false],
])(
  'where allow-passthrough is %s, kitty behind tmux is sent the image: %s',
  async (passthrough, isSent) => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'harbour.png'), await gradientFile(120, 60));
    const name = 'kitty(0.35.2)';
    const chat = await openChat({
      settings: [`set -g allow-passthrough ${passthrough}`],
      folder,
      flags: '-m svc-vision-v1',
      name,
    });
    await chat.is('#{client_termtype}', name);
    chat.terminal.type('what is @harbour.png \r');
    await chat.shows('Well said.');
    await chat.shows(/Attached harbour\.png/);
    expect(chat.terminal.output().includes(`${ESC}_G`)).toBe(isSent);
    expect((await chat.pane()).includes('\u{10EEEE}')).toBe(isSent);
  },
  4 * MINUTE,
);
