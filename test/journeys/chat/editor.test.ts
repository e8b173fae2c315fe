import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { answer, finish } from '../../helpers/servers/chat-server.ts';
import { sendChunk, type Answer } from '../../helpers/servers/scripted-server.ts';
import { openConversation } from '../../helpers/terminal/conversation.ts';

const UP = '\u001b[A';
const ESC = '\u001b';
const CTRL_C = '\u0003';
const pasted = (text: string) => `\u001b[200~${text}\u001b[201~`;

/** Answers `endless` without end, and everything else at once. */
function endless(): { reply: Answer; end: () => void } {
  let running: (() => void) | undefined;
  return {
    reply(request, response) {
      const last = (request.body as { messages: { content: string }[] }).messages.at(-1)?.content;
      if (last !== 'endless') return answer('Well said.')(request, response);
      sendChunk(response, 'On and on ');
      running = () => finish(response);
    },
    end: () => running?.(),
  };
}

describe('writing', () => {
  test("a message gets several lines with any terminal's keys, and is edited with those of Emacs", async () => {
    const { terminal, asked, leave } = await openConversation();
    terminal.type('one\u001b\rtwo\nthree\\\rfour\u001b[13;2ufive');
    await terminal.shows(/^>>> one\n\.\.\. two\n\.\.\. three\n\.\.\. four\n\.\.\. five$/m);
    // To the start of the first line, a word to the right; what follows is killed and yanked at the end.
    terminal.type(`${UP.repeat(4)}\u0001\u001bf\u000b${'\u001b[B'.repeat(4)}\u0005\u0019 six\u001f`);
    terminal.type(' seven\r');
    await terminal.shows('Well said.');
    expect(asked()).toEqual(['one two\nthree\nfour\nfive\n seven'.replace('one two', 'onetwo')]);
    await leave();
  }, 120_000);

  test('earlier messages come back with Up and Ctrl-R, also in the next conversation', async () => {
    const first = await openConversation();
    for (const text of ['the harbour\u001b\ropens when?', 'the bridge', 'something else'])
      first.terminal.type(`${text}\r`);
    await expect.poll(() => first.asked().length, { timeout: 60_000 }).toBe(3);
    await first.terminal.shows(/(Well said\.[^]*){3}/);
    await first.leave();
    const later = await first.open();
    later.type(UP.repeat(2));
    await later.shows(/^>>> the bridge$/m);
    later.type('\u001b[B\u001b[B\u0012HARB');
    await later.shows(/^>>> the harbour\n\.\.\. opens when\?\nsearch: HARB/m);
    later.type('\r');
    await expect.poll(() => first.asked().at(-1), { timeout: 60_000 }).toBe('the harbour\nopens when?');
    later.type('\u0004');
    await later.shows('ended with 0');
  }, 120_000);

  test.each(['', '--plain'])(
    'a history that cannot be saved is said once, and the chat goes on %s',
    async (flags) => {
      const { terminal, home, leave } = await openConversation({ flags });
      rmSync(join(home, 'chat-history'), { force: true });
      mkdirSync(join(home, 'chat-history'));
      terminal.type('one\r');
      await terminal.shows('Well said.');
      terminal.type('two\r');
      await terminal.shows(/>>> two\nWell said\.[^]*>>>/);
      const problem = `The input history cannot be saved (illegal operation on a directory): ${home}/chat-history`;
      const shown = terminal.text().replaceAll('\n', ' ');
      expect(shown.split(`note: ${problem}`)).toHaveLength(2);
      expect(shown.split('history cannot')).toHaveLength(2);
      await leave();
    },
    120_000,
  );

  test('a paste of a megabyte is one mark on the screen and is sent whole, and the screen may be resized', async () => {
    const { terminal, asked, home, leave } = await openConversation();
    const lines = Array.from(
      { length: 20_000 },
      (_, index) => `line ${index} of a text that is long enough to matter`,
    );
    const text = lines.join('\n');
    expect(text.length).toBeGreaterThan(1_000_000);
    terminal.type(`what is ${pasted(text)} about?`);
    await terminal.shows('>>> what is [pasted 20,000 lines] about?');
    await terminal.resize({ columns: 30, rows: 20 });
    await terminal.shows(/first: askd up\n>>> what is\n {4}\[pasted 20,000 lines\]/m);
    await terminal.resize({ columns: 100, rows: 30 });
    await terminal.shows(/first: askd up\n>>> what is \[pasted 20,000 lines\] about\?\nsvc-chat-v1$/m);
    terminal.type('\r');
    await terminal.shows('Well said.');
    expect(asked()).toEqual([`what is ${text} about?`]);
    expect(terminal.text().match(/pasted/g)).toHaveLength(1);
    await leave();
    expect(readFileSync(join(home, 'chat-history'), 'utf8')).toBe('');
  }, 120_000);

  test('the commands and their help appear while typing, and the arrows choose', async () => {
    const { terminal, leave } = await openConversation();
    terminal.type('/s');
    await terminal.shows(/^> \/system TEXT +set the system prompt; empty removes it\n {2}\/set NAME VALUE/m);
    terminal.type('\u001b[B\t');
    await terminal.shows(/^>>> \/set\n> temperature$/m);
    terminal.type('see\t7\r');
    await terminal.shows('seed is 7.');
    terminal.type('/sho\r');
    await terminal.shows(/^model +svc-chat-v1$/m);
    terminal.type('/by\r');
    await terminal.shows('ended with 0');
    expect(leave).toBeTypeOf('function');
  }, 120_000);
});

describe('while an answer arrives', () => {
  test('messages wait, are edited with Up, and are sent in order', async () => {
    const { reply, end } = endless();
    const { terminal, asked, leave } = await openConversation({ reply });
    terminal.type('endless\r');
    await terminal.shows('On and on');
    terminal.type('first\rsecond\r');
    await terminal.shows(/^ {2}next: first\n {2}next: second\n>>>$/m);
    terminal.type(UP);
    await terminal.shows(/^ {2}next: first\n>>> second$/m);
    terminal.type(' thought\r');
    await terminal.shows(/next: second thought/);
    end();
    await terminal.shows(/>>> second thought\nWell said\.\n>>>/);
    expect(asked()).toEqual(['endless', 'first', 'second thought']);
    await leave();
  }, 120_000);

  test('more than a hundred messages wait, and leaving says which were not sent', async () => {
    const { reply } = endless();
    const { terminal, asked } = await openConversation({ reply });
    terminal.type('endless\r');
    await terminal.shows('On and on');
    terminal.type(Array.from({ length: 120 }, (_, place) => `message ${place + 1}\r`).join(''));
    await terminal.shows('and 117 more');
    terminal.type('\u0004');
    await terminal.shows('ended with 0');
    const notSent = terminal.text().match(/^Not sent: message \d+$/gm) ?? [];
    expect(notSent.at(-1)).toBe('Not sent: message 120');
    expect(asked()).toEqual(['endless']);
  }, 120_000);

  test('Esc stops it and brings the message back; waiting messages follow it', async () => {
    const { reply } = endless();
    const { terminal, asked, bodies, leave } = await openConversation({ reply });
    terminal.type('endless\r');
    await terminal.shows('On and on');
    terminal.type('afterwards\r');
    await terminal.shows('next: afterwards');
    terminal.type(ESC);
    await terminal.shows(/\(stopped\)\n {2}next: afterwards\n>>> endless\nEnter sends/);
    terminal.type(' no more\r');
    await terminal.shows(/>>> endless no more\nWell said\.\n>>> afterwards\nWell said\.\n>>>/);
    expect(asked()).toEqual(['endless', 'endless no more', 'afterwards']);
    expect(
      bodies()
        .at(-1)
        ?.messages.map(({ content }) => content),
    ).toEqual([...['endless no more', 'Well said.', 'afterwards']]);
    await leave();
  }, 120_000);

  test('Ctrl-C stops it and keeps what has arrived, and twice leaves the terminal as it was', async () => {
    const { reply } = endless();
    const { terminal, bodies } = await openConversation({ reply });
    terminal.type('endless\r');
    await terminal.shows('On and on');
    terminal.type(CTRL_C);
    await terminal.shows(/On and on\n\(stopped\)\n>>>/);
    terminal.type('go on\r');
    await terminal.shows('Well said.');
    expect(
      bodies()
        .at(-1)
        ?.messages.map(({ content }) => content),
    ).toEqual(['endless', 'On and on ', 'go on']);
    terminal.type(`draft${CTRL_C}`);
    await terminal.shows(/^>>>\nTo leave: Ctrl-D/m);
    terminal.type(CTRL_C);
    await terminal.shows(/ended with 0[^]* icanon [^]* echo /);
    expect(terminal.output()).toContain('\u001b[<u\u001b[?2004l');
  }, 120_000);

  test('the status line says how full the context is and how fast the answer came', async () => {
    const { terminal, leave } = await openConversation();
    terminal.type('hello\r');
    await terminal.shows(/^svc-chat-v1 · 5 tokens/m);
    await leave();
  }, 120_000);
});
