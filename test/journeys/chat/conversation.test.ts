import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { binFile } from '../../../src/base/paths.ts';
import { chatBodies, chatServer, finish, last, USAGE } from '../../helpers/servers/chat-server.ts';
import { install } from '../../helpers/daemon/installation.ts';
import { sendChunk, type Answer } from '../../helpers/servers/scripted-server.ts';
import { openTerminal } from '../../helpers/terminal/terminal.ts';

const askd = `${process.execPath} ${binFile('askd.js')}`;
const ARROW_UP = '\u001b[A';

const BEGIN = '\u001b[?2026h';
const END = '\u001b[?2026l';
/* eslint-disable no-control-regex -- they are what is looked for */
const CHANGES = /\u001b\[\?2026h[^]*?\u001b\[\?2026l/g;
const NOT_OURS = /\u001b\[\?(?:47|1049|100[0-6])h|\u001b\[[23]J/;
/* eslint-enable no-control-regex */

const REPLY = `## Two ways
1. **Fast**: use \`map\`, as this line says that is too long for a screen of forty columns
2. slow

| Way | Time |
|---|--:|
| map | 1 ms |

\`\`\`js
const a = 'b';
\`\`\`
`;

test('a person chats in a terminal: styles, many lines, a stop, the history, and leaving', async () => {
  const closed = vi.fn();
  const server = await chatServer(((request, response) => {
    const text = JSON.stringify(request.body);
    if (text.includes('endless')) {
      response.on('close', closed);
      sendChunk(response, 'It goes on and on and ');
      return;
    }
    void streamSlowly(response);
  }) satisfies Answer);
  const { environment } = install();
  const open = () =>
    openTerminal(`${askd} chat --stats --host ${server.url}`, { columns: 40, rows: 60 }, environment);

  const terminal = open();
  await terminal.shows(/svc-chat-v1 · \/\? for help\nnote: this conversation is not kept[^]*\n>>>/);
  const before = terminal.output().length;
  terminal.type('Which ways?\r');
  await terminal.shows(/5 tokens|2 out/);
  expect(terminal.text()).toContain(
    [
      'Two ways',
      '1. Fast: use map, as this line says that',
      '   is too long for a screen of forty',
      '   columns',
      '2. slow',
      '',
      'Way  Time',
      '───  ────',
      'map  1 ms',
      '',
      '```js',
      "const a = 'b';",
      '```',
    ].join('\n'),
  );
  const reply = terminal.output().slice(before);
  expectOnlyChanges(reply);
  expect(reply).toContain('\u001b[1mFast\u001b[0m');

  terminal.type('"""one\r');
  await terminal.shows(/^\.\.\.$/m);
  terminal.type('endless"""\r');
  await terminal.shows('It goes on and on and');
  terminal.type('\u0003');
  await terminal.shows('(stopped)');
  await vi.waitFor(() => expect(closed).toHaveBeenCalled(), 20_000);
  const bodies = chatBodies(server.seen) as { messages: { content: string }[] }[];
  expect(bodies[1]?.messages.at(-1)?.content).toBe('one\nendless');

  terminal.type('/image /nothing.png\r');
  await terminal.shows(/does not\s+accept\s+images/);
  terminal.type('/bye\r');
  await terminal.shows('ended with 0');
  const afterwards = () => terminal.output().slice(terminal.output().lastIndexOf('ended with'));
  await expect.poll(afterwards, { timeout: 20_000 }).toMatch(/ icanon [^]* echo /);

  const later = open();
  await later.shows('>>>');
  later.type(ARROW_UP.repeat(5));
  await later.shows('>>> Which ways?');
  later.type('\u0003');
  await later.shows('To leave: Ctrl-D or /bye');
  later.type('\u0004');
  await later.shows('ended with 0');
}, 120_000);

function expectOnlyChanges(reply: string): void {
  // The wheel scrolls the terminal's own lines: no other screen, no mouse, and nothing that clears what was shown.
  expect(reply).not.toMatch(NOT_OURS);
  // Each change is shown at once.
  expect(reply.split(BEGIN)).toHaveLength(reply.split(END).length);
  expect(reply.replace(CHANGES, '')).toBe('');
}

async function streamSlowly(response: Parameters<Answer>[1]): Promise<void> {
  for (const part of REPLY.match(/[^]{1,7}/g) ?? []) {
    sendChunk(response, part);
    await sleep(2);
  }
  sendChunk(response, '', last);
  sendChunk(response, '', { choices: [], usage: USAGE });
  finish(response);
}
